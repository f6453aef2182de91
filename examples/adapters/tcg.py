#!/usr/bin/env python3
"""The EinStein program of shaoyuchu/TCG, folder final_EWN, as an engine that speaks UGI.

    tcg.py PROGRAM

PROGRAM is what its Makefile builds, `main.out`; it runs as a process of its own. It plays EinStein
würfelt nicht! in all variants; in any other game this engine says why in an `info string` and
answers `bestmove none`. Tested on Linux only.

The program searches to depth 2, then 4, then 6 (not 6 in its first two turns), and begins a depth
if it expects to end it in the time left in the game. It cannot be stopped: at a limit, and at
`stop`, this engine ends the process and plays the best move of the last depth that was complete,
or, if none was, the program's first move.

    go p1time …   the program is told the time left, in whole seconds; a turn ends at the latest
                  after a quarter of it
    go movetime, go depth, go infinite    are obeyed
    go nodes      the program has no such limit: depth 2
    option time_limit   seconds for a game where `go` has no clock; the program has no default, its
                        report says 240
    option max_depth    at most this depth; 6 is the program's own

It draws its layout by lot from the clock: processes started in the same second draw the same.

Example, a match against a built-in engine:

    referee match 'python3 tcg.py ./main.out' best --game einstein --time 1s --games 20
"""

import json
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from types import SimpleNamespace

class Refusal(Exception):
    """Something that does not work; says why."""


# ---- The game ----------------------------------------------------------------------------------

# Squares are (column, row), both from 0, rows from the top, where red begins.
SQUARES = [(column, row) for row in range(5) for column in range(5)]
HOME = {"R": [at for at in SQUARES if sum(at) <= 2], "B": [at for at in SQUARES if sum(at) >= 6]}
FORWARD, GOAL, OTHER = {"R": 1, "B": -1}, {"R": (4, 4), "B": (0, 0)}, {"R": "B", "B": "R"}


def read_square(text):
    """A square from its name, such as b4."""
    return "abcde".index(text[0].lower()), "54321".index(text[1])


class Einstein:
    """A position, set up from what the referee says."""

    def __init__(self, variant, fen, words):
        """The position after these turns and rolls from the first one, or from a `fen`."""
        for key in variant:
            if key not in ("first_colour", "layouts"):
                raise Refusal(f"variant: unknown setting {key!r}")
        self.first = self.colour = {"red": "R", "blue": "B"}[variant.get("first_colour", "red")]
        self.pieces = {"R": None, "B": None}  # number: square, of those alive; None: to lay out
        self.die, self.turns = None, {"R": 0, "B": 0}  # steps of each colour so far
        for digits in variant.get("layouts", []) if not fen else []:
            self.play(f"{self.colour}:{digits}")
        if fen:  # such as `R:a5,b5,-,a4,b4,a3 B:? R d3`
            for colour, army in zip("RB", fen):
                alive = [(n, at) for n, at in enumerate(army[2:].split(","), 1) if at != "-"]
                if army[2:] != "?":
                    self.pieces[colour] = {n: read_square(at) for n, at in alive}
            self.colour = fen[2].upper()
            self.die = int(fen[3][1]) if fen[3][1:].isdecimal() else None
        for word in words:
            self.play(word)

    def play(self, word):
        """Plays a layout such as R:425631, a roll such as d3, or a step such as R3-b3."""
        if word[0] in "dD":
            self.die = int(word[1])
            return
        if word[1] == ":":
            self.pieces[self.colour] = dict(zip(map(int, word[2:]), HOME[self.colour]))
        else:
            target = read_square(word[3:])
            for colour, pieces in self.pieces.items():
                self.pieces[colour] = {n: at for n, at in pieces.items() if at != target}
            self.pieces[self.colour][int(word[1])] = target
            self.turns[self.colour] += 1
        self.colour, self.die = OTHER[self.colour], None

    def winner(self):
        """The colour that has won, or None."""
        for colour in "RB":
            reached = GOAL[colour] in (self.pieces[colour] or {}).values()
            if reached or self.pieces[OTHER[colour]] == {}:
                return colour
        return None

    def step(self, piece, target):
        """The text of a step."""
        return f"{self.colour}{piece}-{'abcde'[target[0]]}{5 - target[1]}"

    def steps(self):
        """All legal steps; none if something else is due."""
        alive, forward = self.pieces[self.colour], FORWARD[self.colour]
        if not alive or self.die is None or self.winner():
            return []
        lower, higher = [n for n in alive if n <= self.die], [n for n in alive if n >= self.die]
        movable = {max(lower, default=0), min(higher, default=0)} - {0}
        targets = [
            (n, (alive[n][0] + right * forward, alive[n][1] + down * forward))
            for n in movable
            for right, down in ((1, 0), (0, 1), (1, 1))
        ]
        return [self.step(n, target) for n, target in targets if target in SQUARES]


# ---- The program -------------------------------------------------------------------------------

PATIENCE = 5.0  # how long the program may take for an answer without a search, s
POLL = 0.005  # how often a search looks whether it is to stop, s
MIN_DEPTH, MAX_DEPTH = 2, 6  # of the program
OPENING = 2  # turns of a game in which the program does not search to depth 6
IDLE = "get R 1 0 0 0 0 0 E1 A5 0 0 0 0 0"  # a position with one move, answered without a search
DOWN = {"Vertical": (0, 1), "Horizontal": (1, 0), "Diagonal": (1, 1)}


def theirs(square):
    """The program's name of a square, or of none; its rows count from the top."""
    return "ABCDE"[square[0]] + "12345"[square[1]] if square else "0"


def from_theirs(text):
    """A square from the program's name."""
    return "ABCDE".index(text[0]), "12345".index(text[1])


class Tcg:
    """The program. A process is for one colour in one game: the depth depends on the number of
    turns that it has chosen, and its table of positions on the colour."""

    title, author = "TCG final_EWN", "shaoyuchu"
    options = {"time_limit": (240, 1, 86400), "max_depth": (6, 2, 6)}
    time_limit, max_depth = 240, 6

    def __init__(self, path):
        """Without a process."""
        self.path, self.process = path, None

    def start(self):
        """Starts a process."""
        pipe = subprocess.PIPE
        try:
            self.process = subprocess.Popen([self.path], stdin=pipe, stdout=pipe, stderr=pipe)
        except OSError as error:
            raise Refusal(f"cannot start {self.path}: {error.strerror}") from None
        self.pipes = [self.process.stderr.fileno(), self.process.stdout.fileno()]
        self.rests = dict.fromkeys(self.pipes, b"")
        self.colour, self.turns, self.began = None, 0, time.monotonic()
        self.busy = False  # with a search

    def end(self):
        """Ends the process, which does not end when its input does."""
        if self.process:
            self.process.kill()
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
                pipe.close()
            self.process = None

    def send(self, line):
        """Sends a command."""
        try:
            os.write(self.process.stdin.fileno(), line.encode() + b"\n")
        except OSError:
            pass  # the end of its output tells

    def hear(self, seconds):
        """What it writes in this time: lines, each with whether it is an answer or a report."""
        heard = []
        for pipe in select.select(self.pipes, [], [], seconds)[0]:
            text = os.read(pipe, 65536)
            if not text:
                status = self.process.wait()
                self.end()
                raise Refusal(f"the program ended with status {status}")
            *lines, self.rests[pipe] = (self.rests[pipe] + text).split(b"\n")
            heard += [(pipe == self.pipes[1], line.decode(errors="replace")) for line in lines]
        return heard

    def ask(self, line):
        """Its answer to a command without a search."""
        self.send(line)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for is_answer, text in self.hear(PATIENCE):
                if is_answer:
                    return text
        raise Refusal(f"the program does not answer {line!r}")

    def ready(self, colour=None, turns=0):
        """Has a process that will choose a turn of a colour after so many others."""
        fits = self.process and self.colour in (None, colour) and self.turns <= turns
        if self.process and self.busy or colour and not fits:
            self.end()
        if not self.process:
            self.start()
            self.ask("name")
        self.colour = colour or self.colour
        while self.turns < turns:
            self.turns += 1
            if self.turns <= OPENING:
                self.ask(IDLE)

    def layout(self, position):
        """The layout that it draws by lot."""
        self.end()  # a new game
        self.ready(position.colour)
        answer = self.ask(f"ini {position.colour}")
        try:
            squares = [from_theirs(text) for text in answer.split()]
            return "".join(str(1 + squares.index(square)) for square in HOME[position.colour])
        except ValueError:
            raise Refusal(f"the program answered {answer!r} instead of a layout") from None

    def choose(self, position, limits, stopped):
        """Its turn, or at a limit the best that it has reported."""
        colour, began = position.colour, time.monotonic()
        self.ready(colour, position.turns[colour])
        # The program subtracts the seconds that it has used, which are not more than these.
        left = self.time_limit if limits.left is None else limits.left
        self.ask(f"time_setting {int(began - self.began + left)}")
        squares = [position.pieces[side].get(n) for side in "BR" for n in range(1, 7)]
        self.send(f"get {colour} {position.die} " + " ".join(map(theirs, squares)))
        self.turns, self.busy = self.turns + 1, True
        wanted = limits.depth or (MIN_DEPTH if limits.nodes else MAX_DEPTH)
        deepest = max(MIN_DEPTH, min(self.max_depth, wanted))
        moves, best, depth, late = [], None, 0, None
        while True:
            for is_answer, line in self.hear(POLL):
                if is_answer:
                    self.busy = False
                    return self.read_answer(position, line)
                if found := re.fullmatch(r"([RB])([1-6]) (\w+)", line):
                    moves.append(self.read_move(position, int(found[2]), found[3]))
                elif found := re.fullmatch(r"Dep(\d+):((?: \S+)+)", line):
                    depth, scores = int(found[1]), [float(score) for score in found[2].split()]
                    best = moves[scores.index(max(scores))]
                    spent = 1000 * (time.monotonic() - began)
                    say(f"info depth {depth} score cp {max(scores):.0f} time {spent:.0f} pv {best}")
            now = time.monotonic()
            deep_enough = deepest <= depth < MAX_DEPTH  # at its last depth it answers by itself
            too_late = limits.end is not None and now + POLL > limits.end
            if deep_enough or too_late or stopped.is_set():
                late = late or now
                if moves or now > late + PATIENCE:
                    break
        if not moves:
            raise Refusal("the program tells nothing of its search")
        if best is None:
            say("info string no depth was complete: the program's first move")
        return best or moves[0]

    def read_move(self, position, piece, direction):
        """A move from the list that it reports."""
        forward, (column, row) = FORWARD[position.colour], position.pieces[position.colour][piece]
        right, down = DOWN[direction]
        return position.step(piece, (column + forward * right, row + forward * down))

    def read_answer(self, position, line):
        """Its turn, from the squares that it answers."""
        pieces = {square: n for n, square in position.pieces[position.colour].items()}
        try:
            start, target = map(from_theirs, line.split())
            return position.step(pieces[start], target)
        except (KeyError, ValueError):
            raise Refusal(f"the program answered {line!r}") from None


# ---- The protocol ------------------------------------------------------------------------------

OVERHEAD = 0.008  # a search ends this long before its time, s: the answer must arrive in it


def say(line):
    """Writes a line and flushes it: a buffered line never reaches the referee."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Session:
    """A conversation with a referee. Turns are chosen in a thread, so that `stop` is heard."""

    def __init__(self, engine):
        """Before the first command."""
        self.engine, self.settings = engine, {"game": "einstein", "variant": ""}
        self.position_now, self.trouble = None, "no position"
        self.thread, self.stopped = None, threading.Event()
        self.heard = 0.0  # when the last command arrived

    def run(self):
        """Reads commands until `quit` or the end of the input."""
        for line in sys.stdin:
            self.heard = time.monotonic()
            words = line.split()
            command = words[0].lower() if words else ""
            if command == "quit":
                return
            if command in ("ugi", "isready", "setoption", "position", "go", "stop", "query"):
                if command != "isready":
                    self.stop([])  # no other command comes during a search
                try:
                    getattr(self, command)(words[1:])
                except Refusal as refusal:
                    say(f"info string {refusal}")

    def ugi(self, words):
        """Introduces the engine."""
        say(f"id name {self.engine.title}\nid author {self.engine.author}")
        say("option name Game type combo default einstein var einstein")
        say("option name Variant type string default")
        for name, values in self.engine.options.items():
            say(f"option name {name} type " + option_type(*values))
        say("ugiok")

    def setoption(self, words):
        """`name N value V`."""
        at = words.index("value") if "value" in words else len(words)
        name, value = " ".join(words[1:at]).lower(), " ".join(words[at + 1 :])
        if name in self.settings:
            self.settings[name] = value
            self.position_now, self.trouble = None, "no position"
            return
        default, *others = self.engine.options.get(name, ("",))
        if isinstance(default, int) and value.isdecimal() and others[0] <= int(value) <= others[1]:
            setattr(self.engine, name, int(value))
        elif value and value in (default, *others):
            setattr(self.engine, name, value)
        else:
            raise Refusal(f"no option {name!r} with the value {value!r}")

    def isready(self, words):
        """Answers when the program is ready."""
        try:
            if not (self.thread and self.thread.is_alive()):
                self.engine.ready()
        finally:
            say("readyok")

    def position(self, words):
        """`startpos` or `fen …`, then perhaps `moves …`."""
        at = words.index("moves") if "moves" in words else len(words)
        self.position_now, fen = None, words[1:at] if words[:1] == ["fen"] else []
        if self.settings["game"].lower() != "einstein":
            self.trouble = f"no game {self.settings['game']!r}, only einstein"  # `go` tells
            return
        try:
            variant = dict(json.loads(self.settings["variant"] or "{}"))
            self.position_now = Einstein(variant, fen, words[at + 1 :])
        except Refusal as refusal:
            self.trouble = refusal
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            self.trouble = f"cannot read the position or variant: {error!r}"

    def go(self, words):
        """Begins a search."""
        numbers = {name: int(n) for name, n in zip(words, words[1:]) if n.isdecimal()}
        limits = self.limits(numbers, "infinite" in words)
        self.stopped.clear()
        self.thread = threading.Thread(target=self.think, args=(limits,), daemon=True)
        self.thread.start()

    def limits(self, numbers, infinite):
        """When to end at the latest, or None; seconds left in the game, or None; and the rest."""
        position, left, ends = self.position_now, None, []
        side = "p1" if position and position.colour == position.first else "p2"
        if side + "time" in numbers:  # a side has some ten turns: a quarter of the rest is much
            left = numbers[side + "time"] / 1000
            byoyomi = numbers.get("byoyomi", 0) / 1000
            share = left / max(1, min(4, numbers.get("movestogo", 4)))
            more = byoyomi + numbers.get(side + "inc", 0) / 1000
            ends.append(min(share + more, left + byoyomi))
        if "movetime" in numbers:
            ends.append(numbers["movetime"] / 1000)
            left = min(ends) if left is None else min(left, ends[-1])
        end = None if infinite or not ends else self.heard + min(ends) - OVERHEAD
        depth, nodes = numbers.get("depth"), numbers.get("nodes")
        return SimpleNamespace(end=end, left=left, depth=depth, nodes=nodes, infinite=infinite)

    def think(self, limits):
        """Answers `go`."""
        position, turn = self.position_now, "none"
        try:
            if position is None:
                say(f"info string {self.trouble}")
            elif position.pieces[position.colour] is None:
                turn = f"{position.colour}:{self.engine.layout(position)}"
            elif steps := position.steps():
                turn = self.engine.choose(position, limits, self.stopped)
                if turn not in steps:
                    raise Refusal(f"the program's turn {turn} is not legal")
        except Exception as error:  # whatever the program does, the referee gets an answer
            say("info string " + (" ".join(str(error).split()) or repr(error)))
            turn = "resign"
        if limits.infinite:
            self.stopped.wait()
        say(f"bestmove {turn}")
        with suppress(Refusal):
            self.engine.ready()  # for the next turn

    def stop(self, words):
        """Ends the search, if there is one."""
        if self.thread:
            self.stopped.set()
            self.thread.join()
            self.thread = None

    def query(self, words):
        """`gameover`, `p1turn` or `result`."""
        position = self.position_now
        if position is None:
            raise Refusal(self.trouble)
        winner, first = position.winner(), position.first
        answers = {
            "gameover": str(winner is not None).lower(),
            "p1turn": str(position.colour == first).lower(),
            "result": "none" if winner is None else "p1win" if winner == first else "p2win",
        }
        say("response " + answers.get(" ".join(words).lower(), "none"))


def option_type(default, *others):
    """The type of an option: a number with its bounds, or one of some words."""
    if isinstance(default, int):
        return "spin default {} min {} max {}".format(default, *others)
    return f"combo default {default} var " + " var ".join((default, *others))


def main():
    """Speaks UGI."""
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        sys.exit(0 if len(sys.argv) == 2 else 2)
    path = os.path.abspath(sys.argv[1])
    if not os.path.isfile(path) or not os.access(path, os.X_OK):
        sys.exit(f"tcg.py: no program {path}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    engine = Tcg(path)
    try:
        Session(engine).run()
    finally:
        engine.end()


if __name__ == "__main__":
    main()
