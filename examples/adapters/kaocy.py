#!/usr/bin/env python3
"""kaocy/surakarta-game-ai as an engine that speaks UGI, for `referee`.

Its program `surakarta` must have been built (tested: its version cf83632, on Linux); its path, or
its name in PATH, is the argument. It plays Surakarta by Monte Carlo tree search, 50 000 simulations
a turn: that takes two to three seconds and 600 MB, and there is no setting for less. Until then it
has no turn: if `stop` or the end of the time comes first, the adapter plays a turn drawn at random
and says so in an `info string`. So give it four seconds a turn or more, and a free core.

Each turn is asked of a new process, which is told the position: nothing stays from other games.
`quiet_limit` and `repetition` are accepted in all variants, but the program knows neither.

The option `weights` is the path of weights that the program has learnt (its repository has none);
without it the program takes all weights to be 0.

Example, a match against a built-in engine:

    referee match 'python3 kaocy.py ./surakarta' mcts --game surakarta --time 4s --games 10
"""

import json
import os
import random
import re
import select
import shutil
import subprocess
import sys
import time

OVERHEAD = 0.02  # the adapter ends this long before its time, s: the answer must arrive in it
START_UP = 0.2  # the program is not started for less time, s: it would not even begin to search
START = "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b"
VARIANT = ("quiet_limit", "repetition")
EDGES = range(1, 7)
# The points of both loops in order, as (column, row); six, then an arc.
LOOPS = [
    [(x, low) for x in EDGES]
    + [(7 - low, y) for y in EDGES]
    + [(x, 7 - low) for x in reversed(EDGES)]
    + [(low, y) for y in reversed(EDGES)]
    for low in (2, 3)
]
# From each point the ways along its loops, each with the number of steps before the first arc.
PATHS = {}
for loop in LOOPS:
    for at, point in enumerate(loop):
        path = loop[at + 1 :] + loop[:at]
        PATHS.setdefault(point, []).extend([(path, 5 - at % 6), (path[::-1], at % 6)])


class Refusal(Exception):
    """A game, variant or position that this engine cannot take; says why."""


# ---- The rules ---------------------------------------------------------------------------------


def name(point):
    """The name of a point, such as `b5`."""
    return "abcdef"[point[0] - 1] + str(point[1])


class Board:
    """A position: the pieces by their points, `b` or `w`, and the side to move."""

    def __init__(self, fen):
        """Reads a position."""
        rows, side = (fen.lower().split() + ["", ""])[:2]
        rows = [re.sub(r"\d", lambda n: "." * int(n[0]), row) for row in rows.split("/")]
        if [len(row) for row in rows] != [6] * 6 or side not in ("b", "w"):
            raise Refusal(f"cannot read the position {fen}")
        points = {(x + 1, 6 - y): rows[y][x] for x in range(6) for y in range(6)}
        self.pieces = {point: piece for point, piece in points.items() if piece in "bw"}
        self.side = side

    def turns(self):
        """The legal turns: their text, from and to."""
        mine = [point for point, piece in self.pieces.items() if piece == self.side]
        over = len(mine) == len(self.pieces)
        return {} if over else {word: turn for at in mine for word, turn in self.turns_of(at)}

    def turns_of(self, point):
        """The turns of the piece on a point, perhaps more than once."""
        x, y = point
        for to in [(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]:
            if to not in self.pieces and to[0] in EDGES and to[1] in EDGES:
                yield f"{name(point)}-{name(to)}", (point, to)
        for path, line in PATHS.get(point, []):
            for steps, to in enumerate(path):
                if to != point and to in self.pieces:  # the first piece met
                    if steps >= line and self.pieces[to] != self.side:
                        yield f"{name(point)}x{name(to)}", (point, to)
                    break

    def play(self, word):
        """Plays a turn."""
        point = ("abcdef".find(word[:1].lower()) + 1, "123456".find(word[1:2]) + 1)
        mine = self.pieces.get(point) == self.side
        turns = dict(self.turns_of(point)) if mine else {}
        if word.lower() not in turns:
            raise Refusal(f"{word} is not legal")
        _, to = turns[word.lower()]
        self.pieces[to] = self.pieces.pop(point)
        self.side = "w" if self.side == "b" else "b"

    def bits(self, mine):
        """The pieces of the side to move, or the others, as the program reads them."""
        points = [point for point, piece in self.pieces.items() if (piece == self.side) == mine]
        return format(sum(1 << 8 * (7 - y) + x for x, y in points), "x")


# ---- The protocol ------------------------------------------------------------------------------


def say(line):
    """Writes a line and flushes it: a buffered line never reaches the referee."""
    print(line, flush=True)


class Session:
    """A conversation with a referee."""

    def __init__(self, program):
        """Before the first command."""
        self.program, self.weights = program, ""
        self.game, self.variant = "surakarta", ""
        self.board, self.trouble = None, "no position"
        self.process, self.ended = None, []  # the search, and earlier ones
        self.answer, self.heard_of = None, b""  # its turn, and what it has printed
        self.searching, self.infinite, self.end = False, False, None

    def run(self):
        """Reads commands until `quit` or the end of the input, and hears the program."""
        text = b""
        while True:
            pipes = [0]
            if self.searching and self.answer is None:
                pipes.append(self.process.stdout)
            wait = max(0, self.end - time.monotonic()) if self.searching and self.end else None
            ready = select.select(pipes, [], [], wait)[0]
            if len(pipes) > 1 and pipes[1] in ready:
                self.hear()
            if self.searching and not self.infinite and (self.answer is not None or not ready):
                self.stop([])
            if 0 in ready:
                self.came = time.monotonic()
                more = os.read(0, 65536)
                *lines, text = (text + more).split(b"\n")
                words = [line.decode(errors="replace").split() for line in lines]
                if not more or not all(map(self.obey, words)):
                    return

    def obey(self, words):
        """Obeys a command. Whether to go on."""
        command = words[0].lower() if words else ""
        if command == "isready":
            say("readyok")
        elif command in ("ugi", "setoption", "position", "go", "stop"):
            self.stop([])  # no other command comes during a search
            getattr(self, command)(words[1:])
        return command != "quit"

    def ugi(self, words):
        """Introduces the engine."""
        say("id name kaocy/surakarta-game-ai")
        say("id author kaocy")
        say("option name Game type combo default surakarta var surakarta")
        say("option name Variant type string default")
        say("option name weights type string default")
        say("ugiok")

    def setoption(self, words):
        """`name N value V`."""
        at = words.index("value") if "value" in words else len(words)
        option = " ".join(words[1:at]).lower()
        if option in ("game", "variant", "weights"):
            setattr(self, option, " ".join(words[at + 1 :]))
        else:
            say(f"info string no option {option!r}")

    def position(self, words):
        """`startpos` or `fen …`, then perhaps `moves …`."""
        at = words.index("moves") if "moves" in words else len(words)
        self.board = None
        try:
            self.check_variant()
            board = Board(" ".join(words[1:at]) if words[:1] == ["fen"] else START)
            for word in words[at + 1 :]:
                board.play(word)
            self.board = board
        except Refusal as refusal:
            self.trouble = refusal  # `go` tells

    def check_variant(self):
        """Refuses another game, and settings that it does not know."""
        if self.game.lower() != "surakarta":
            raise Refusal(f"no game {self.game!r}, only surakarta")
        try:
            unknown = set(json.loads(self.variant or "{}")) - set(VARIANT)
        except (TypeError, ValueError):
            raise Refusal(f"variant: cannot read {self.variant}") from None
        if unknown:
            raise Refusal(f"variant: unknown setting {min(unknown)!r}")

    def go(self, words):
        """Begins a search; where there is nothing to search, the turn is known."""
        numbers = {word: int(n) for word, n in zip(words, words[1:]) if n.isdecimal()}
        self.infinite = "infinite" in words
        seconds = None if self.infinite or self.board is None else self.seconds(numbers)
        self.end = None if seconds is None else self.came + seconds - OVERHEAD
        self.answer, self.heard_of, self.searching = None, b"", True
        if self.board is None:
            say(f"info string {self.trouble}")
        if self.board is None or not self.board.turns():
            self.answer = "none"
        elif seconds is None or seconds > START_UP:
            self.begin()
        if not self.infinite and (self.answer is not None or self.process is None):
            self.stop([])

    def seconds(self, numbers):
        """How long to wait for the program, or None: the time for a turn, or half of the game's
        time, or the smaller of both. The program itself takes the same time for all turns."""
        side = "p1time" if self.board.side == "b" else "p2time"
        limits = [numbers["movetime"]] if "movetime" in numbers else []
        if side in numbers:
            limits.append(numbers[side] / 2 + numbers.get("byoyomi", 0))
        return min(limits) / 1000 if limits else None

    def begin(self):
        """Starts the program. It plays the first side, black to it, whose turn it is."""
        boards = [f"--black={self.board.bits(True)}", f"--white={self.board.bits(False)}"]
        weights = [f"--tuple=load={self.weights}"] if self.weights else []
        command = [self.program, "--tour", "--first", *boards, *weights]
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            say(f"info string cannot run {self.program}: {error.strerror}")
            self.answer = "resign"

    def hear(self):
        """Reads what the program prints, up to its turn: `move 5a 4b` or `eat 5a 4b`."""
        more = os.read(self.process.stdout.fileno(), 65536)
        self.heard_of += more
        lines = self.heard_of.decode(errors="replace").split("\n")
        for line in lines[:-1]:
            turn = re.fullmatch(r"(move|eat) ([1-6])([a-f]) ([1-6])([a-f])\s*", line)
            if turn:
                kind, row, column, to_row, to_column = turn.groups()
                link = "x" if kind == "eat" else "-"
                word = f"{column}{7 - int(row)}{link}{to_column}{7 - int(to_row)}"
                self.answer = word if word in self.board.turns() else "resign"
            elif line.startswith("oops"):
                self.answer = "resign"
            if self.answer == "resign":
                say(f"info string the program's answer is not legal: {line}")
            if self.answer is not None:
                return
        if not more:
            say("info string the program ended without a turn")
            self.answer = "resign"

    def stop(self, words):
        """Ends the search, if there is one, and answers."""
        if not self.searching:
            return
        if self.answer is None:
            say("info string no turn of the program in time: a random one")
            self.answer = random.choice(list(self.board.turns()))
        say(f"bestmove {self.answer}")
        self.searching = False
        self.close()

    def close(self):
        """Ends the program, without waiting: it may take a while to free its memory."""
        if self.process is not None:
            self.process.kill()
            self.process.stdin.close()
            self.process.stdout.close()
            self.ended.append(self.process)
            self.process = None
        self.ended = [process for process in self.ended if process.poll() is None]


def main():
    """Speaks UGI."""
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        sys.exit(0 if sys.argv[1:2] in (["-h"], ["--help"]) else 2)
    program = shutil.which(sys.argv[1])
    if program is None:
        sys.exit(f"kaocy.py: no program {sys.argv[1]}: give the path of kaocy's `surakarta`")
    session = Session(program)
    try:
        session.run()
    finally:
        session.close()
        for process in session.ended:
            process.wait()


if __name__ == "__main__":
    main()
