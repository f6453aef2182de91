#!/usr/bin/env python3
"""The release engine of Takeapocket/computergames, an EinStein team's of 2026, in UGI.

    takeapocket.py FOLDER

FOLDER is a checkout of its repository, whose packages `ai` and `core` are imported (Python 3.11).
It plays EinStein würfelt nicht! in all variants; in any other game this engine says why in an `info
string` and answers `bestmove none`.

The engine plays games to the end from every move, 64 and then 96 from the best, within 2 s a turn.
If the 64 do not fit the time, it forgets them and plays its greedy move; an `info string` then says
so. It knows of the rule of the missing piece only the nearest number, not the nearest on both
sides: it never moves the farther of the two, and does not reckon with it.

Importing it takes 2 s of processor time, as it then counts a table: on a busy machine, give it more
than ten seconds (`start_up` in a league file).

    go p1time …, go movetime    a turn ends at the latest after a quarter of the time left, or then;
                                with `step_time`, whichever is first
    go nodes    so many games, divided among the moves
    go depth    the engine has no such limit
    go infinite, stop    are obeyed: `stop` is the end of its time
    option rollouts     games from every move, half as many more from the best; the release has 64
    option step_time    ms for a turn in all; the release has 2000
    option safety       ms of those that it leaves; the release has 80
    option layout_name  one of its layouts; the release has balanced_v1

Example, a match against a built-in engine:

    referee match 'python3 takeapocket.py ./computergames' best --game einstein --time 1s --games 20
"""

import json
import os
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


class Clock:
    """The clock that its search reads. At `stop`, it is past every deadline."""

    stopped = None

    def perf_counter(self):
        """The time, s."""
        over = self.stopped is not None and self.stopped.is_set()
        return float("inf") if over else time.perf_counter()


class Takeapocket:
    """The engine, with the settings of its release."""

    title, author = "Takeapocket computergames", "takeapocket"

    def __init__(self):
        """Imports it: its repository is in the path."""
        from ai import opening_layouts, release_defaults, rollout_ai
        from core import game_state, types

        self.presets, self.rollout_ai = opening_layouts.PRESETS, rollout_ai
        self.types, self.game_state = types, game_state
        self.release = release_defaults.RELEASE_DEFAULT_ROLLOUT_KWARGS
        self.clock = rollout_ai.time = Clock()
        self.rollouts = self.release["rollouts_per_move"]
        self.step_time = int(self.release["max_step_time_ms"])
        self.safety = int(self.release["deadline_safety_ms"])
        layouts = sorted(self.presets, key="balanced_v1".__ne__)
        self.layout_name = layouts[0]
        self.options = {
            "rollouts": (self.rollouts, 1, 1000000),
            "step_time": (self.step_time, 1, 86400000),
            "safety": (self.safety, 0, 60000),
            "layout_name": tuple(layouts),
        }

    def ready(self):
        """It always is."""

    def layout(self, position):
        """The chosen layout."""
        preset = self.presets[self.layout_name]
        places = preset.red if position.colour == "R" else preset.blue
        numbers = {(place.col, place.row): n for n, place in places.items()}
        return "".join(str(numbers[square]) for square in HOME[position.colour])

    def choose(self, position, limits, stopped):
        """Its turn."""
        began = time.monotonic()
        rollouts, milliseconds = self.rollouts, self.step_time
        if limits.nodes:
            rollouts = max(1, limits.nodes // len(position.steps()))
        if limits.infinite:
            milliseconds = 1e9
        if limits.end is not None:
            milliseconds = min(milliseconds, 1000 * (limits.end - began))
        more = self.release["close_sample_rollouts_per_move"] / self.release["rollouts_per_move"]
        settings = {
            **self.release,
            "rollouts_per_move": rollouts,
            "close_sample_rollouts_per_move": int(rollouts * more),
            "max_step_time_ms": milliseconds,
            "deadline_safety_ms": self.safety,
        }
        self.clock.stopped = stopped
        engine = self.rollout_ai.RolloutAI(**settings)
        move = engine.choose_move(self.state(position), position.die)
        if move is None:
            raise Refusal("the program has no move")
        turn = position.step(move.piece_id, (move.to_pos.col, move.to_pos.row))
        nodes = sum(stats.visits for stats in engine.last_root_stats)
        spent = f"nodes {nodes} time {1000 * (time.monotonic() - began):.0f} pv {turn}"
        if engine.last_used_fallback:
            say(f"info {spent}")
            say("info string its games from every move did not fit the time: its greedy move")
        else:
            best = max(stats.score for stats in engine.last_root_stats)
            say(f"info score cp {1000 * (2 * best - 1):.0f} {spent}")
        return turn

    def state(self, position):
        """The position as the program has it."""
        red, blue = (
            {n: self.types.Position(row, column) for n, (column, row) in position.pieces[c].items()}
            for c in "RB"
        )
        player = self.types.Player("red" if position.colour == "R" else "blue")
        return self.game_state.GameState.from_layout(red, blue, player)


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
    sys.path.insert(0, os.path.abspath(sys.argv[1]))
    try:
        engine = Takeapocket()
    except (ImportError, OSError) as error:
        sys.exit(f"takeapocket.py: cannot import the program from {sys.argv[1]}: {error}")
    Session(engine).run()


if __name__ == "__main__":
    main()
