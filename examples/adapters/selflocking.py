#!/usr/bin/env python3
"""The Dots and Boxes program of Selflocking/DotsAndBoxes as an engine that speaks UGI.

    selflocking.py PROGRAM

PROGRAM is its `test/xieyi.cpp`, which speaks the SAU platform's protocol and needs no window, built
with its sources. It runs as a process of its own. It plays Dots and Boxes of 5×5 boxes; in any
other game or size this engine says why in an `info string` and answers `bestmove none`.

The referee can play the same program without this file, with `protocol = "sau"`. This file helps in
three ways: where several chains are open, the program may write the edge that ends its turn before
edges that close boxes, which is not legal; here the same edges are put in order. Edges that it adds
after the end of the game are left out. And this engine exits at the end of its input.

The program cannot be limited or stopped: it thinks as long as it was built to, 32 s of processor
time a turn until all that is left is chains. So `go` and its limits are heard but not obeyed, and
after `stop` the answer comes when its search ends. Give it time: a contest's 15 minutes suffice.
`quit` ends it at once.

It cannot be given the owners of boxes, only an opponent's edges. So it plays games from their
beginning, and positions in which its side has no box; any other position is given up with `resign`.

Example, a match against a built-in engine:

    referee match 'python3 selflocking.py ./xieyi' best --game dots-and-boxes \\
        --clock '{ base = "15m" }'
"""

import json
import os
import select
import signal
import subprocess
import sys


class Refusal(Exception):
    """Something that this engine cannot take; says why."""


# ---- The game ----------------------------------------------------------------------------------

# An edge or a box is (row, column) on a lattice of 11×11 whose even places are dots, from the top.
EDGES = [(row, column) for row in range(11) for column in range(11) if (row + column) % 2]
BOXES = [(row, column) for row in range(1, 11, 2) for column in range(1, 11, 2)]


def around(place):
    """The edges of a box, or the places on both sides of an edge."""
    row, column = place
    return [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]


def edge_name(edge):
    """The name of an edge: its left or lower dot, and its direction."""
    row, column = edge
    return "abcdef"[column // 2] + str(6 - (row + 1) // 2) + "vh"[column % 2]


def sau_name(edge):
    """The platform's name: direction, line, place on it."""
    row, column = ("ABCDEF"[number // 2] for number in edge)
    return "A" + row + column if edge[1] % 2 else "B" + column + row


NAMES, SAU_NAMES = {edge_name(e): e for e in EDGES}, {sau_name(e): e for e in EDGES}


class Board:
    """A position."""

    def __init__(self, variant):
        """The first position of a variant."""
        known = {"columns": 5, "rows": 5, "stop_at_majority": variant.get("stop_at_majority")}
        for key, value in variant.items():
            if key not in known or value != known[key]:
                raise Refusal(f"variant: {key} is {json.dumps(value)}; the program has 5×5 boxes")
        self.majority = bool(variant.get("stop_at_majority"))
        self.drawn, self.owners, self.side = [], {}, 0

    def set_up(self, words):
        """Sets up a position: lines of edges and rows of edges and boxes from the top."""
        for row, text in enumerate(words[0].split("/")):
            for at, letter in enumerate(text):
                place = (row, at if row % 2 else 2 * at + 1)
                if letter in "-|":
                    self.drawn.append(place)
                elif letter in "rb":
                    self.owners[place] = "rb".index(letter)
        self.side = "rb".index(words[1])

    def copy(self):
        """A copy."""
        board = Board({"stop_at_majority": self.majority})
        board.drawn, board.owners, board.side = self.drawn[:], dict(self.owners), self.side
        return board

    def draw(self, edge):
        """Draws an edge. Whether it closed a box."""
        if edge not in EDGES or edge in self.drawn or self.over():
            raise Refusal(f"an edge is not legal: {edge}")
        self.drawn.append(edge)
        places = around(edge)
        closed = [b for b in places if b in BOXES and all(e in self.drawn for e in around(b))]
        self.owners.update(dict.fromkeys(closed, self.side))
        self.side = self.side if closed else 1 - self.side
        return bool(closed)

    def count(self, side):
        """The number of boxes of a side."""
        return list(self.owners.values()).count(side)

    def over(self):
        """Whether the game is over."""
        return len(self.drawn) == 60 or self.majority and max(self.count(0), self.count(1)) > 12

    def order(self, edges):
        """A whole legal turn of these edges, in this order as far as possible; without those after
        the end of the game."""
        board, rest, turn = self.copy(), list(edges), []
        while rest and not board.over():
            closing = [e for e in rest if e not in board.drawn and board.copy().draw(e)]
            if not closing and len(rest) > 1:
                raise Refusal("more than one edge of the program's turn closes no box")
            turn.append(closing[0] if closing else rest[0])
            rest.remove(turn[-1])
            board.draw(turn[-1])
        if not turn or board.side == self.side and not board.over():
            raise Refusal("the program's turn is not complete")
        return turn


# ---- The protocol ------------------------------------------------------------------------------


def say(line):
    """Writes a line and flushes it: a buffered line never reaches the referee."""
    print(line, flush=True)


class Session:
    """A conversation with a referee."""

    def __init__(self, path):
        """Before the first command."""
        self.path, self.process, self.rest = path, None, b""
        self.settings = {"game": "dots-and-boxes", "variant": ""}
        self.board, self.trouble, self.words = None, "no position", []
        self.told = None  # the words of `position` and the turn after which the program waits
        self.thinking = self.infinite = False
        self.held = None  # the answer to `go infinite`, before `stop`

    def run(self):
        """Reads commands until `quit` or the end of the input, and hears the program."""
        text = b""
        while True:
            pipes = [0] + ([self.process.stdout.fileno()] if self.process else [])
            ready = select.select(pipes, [], [])[0]
            if len(pipes) > 1 and pipes[1] in ready:
                self.hear()
            if 0 in ready:
                more = os.read(0, 65536)
                *lines, text = (text + more).split(b"\n")
                words = [line.decode(errors="replace").split() for line in lines]
                if not more or not all(map(self.obey, words)):
                    return

    def obey(self, words):
        """Obeys a command. Whether to go on."""
        command = words[0].lower() if words else ""
        if command in ("ugi", "isready", "setoption", "position", "go", "stop"):
            try:
                getattr(self, command)(words[1:])
            except Refusal as refusal:
                say(f"info string {refusal}")
        return command != "quit"

    def ugi(self, words):
        """Introduces the engine."""
        say("id name Selflocking DotsAndBoxes\nid author Selflocking")
        say("option name Game type combo default dots-and-boxes var dots-and-boxes")
        say("option name Variant type string default\nugiok")

    def setoption(self, words):
        """`name N value V`."""
        at = words.index("value") if "value" in words else len(words)
        name = " ".join(words[1:at]).lower()
        if name not in self.settings:
            raise Refusal(f"no option {name!r}")
        self.settings[name] = " ".join(words[at + 1 :])
        self.board, self.trouble = None, "no position"

    def isready(self, words):
        """Answers when the program runs."""
        try:
            self.start()
        finally:
            say("readyok")

    def start(self):
        """Starts the program if it does not run."""
        if self.process is None:
            pipe = subprocess.PIPE
            try:
                self.process = subprocess.Popen([self.path], stdin=pipe, stdout=pipe, bufsize=0)
            except OSError as error:
                raise Refusal(f"cannot start {self.path}: {error.strerror}") from None

    def position(self, words):
        """`startpos` or `fen …`, then perhaps `moves …`."""
        at = words.index("moves") if "moves" in words else len(words)
        self.board, self.words = None, words
        try:
            if self.settings["game"].lower() != "dots-and-boxes":
                raise Refusal(f"no game {self.settings['game']!r}, only dots-and-boxes")
            board = Board(dict(json.loads(self.settings["variant"] or "{}")))
            if words[:1] == ["fen"]:
                board.set_up(words[1:at])
            for name in [name for word in words[at + 1 :] for name in word.split("+")]:
                board.draw(NAMES[name.lower()])
            self.board = board
        except Refusal as refusal:
            self.trouble = refusal  # `go` tells
        except (IndexError, KeyError, TypeError, ValueError) as error:
            self.trouble = f"cannot read the position or variant: {error!r}"

    def go(self, words):
        """Asks the program for a turn."""
        self.infinite, self.held = "infinite" in words, None
        if self.board is None or self.board.over():
            if self.board is None:
                say(f"info string {self.trouble}")
            self.answer("none")
            return
        self.thinking = True
        try:
            self.start()
            self.process.stdin.write(self.commands().encode())
        except (Refusal, OSError) as error:
            self.fail(error)

    def commands(self):
        """What tells the program the position, so that it answers with a turn."""
        board = self.board
        if not board.drawn:
            return "new black\n"
        if self.told and self.words[: len(self.told[0])] == self.told[0]:  # its own game goes on
            since = self.told[1].copy()
            opponent, edges = since.side, board.drawn[len(since.drawn) :]
            for edge in edges:
                if since.side == opponent:
                    since.draw(edge)
            if edges and board.side != opponent and since.drawn == board.drawn:
                return f"move {len(edges)} {''.join(map(sau_name, edges))}\n"
        if board.count(board.side):
            raise Refusal("the program cannot be given a position in which its side has boxes")
        names = "".join(map(sau_name, board.drawn))
        return f"new white\nmove {len(board.drawn)} {names}\n"

    def hear(self):
        """Hears the program."""
        text = os.read(self.process.stdout.fileno(), 65536)
        *lines, self.rest = (self.rest + text).split(b"\n")
        try:
            if not text:
                raise Refusal(f"the program ended with status {self.process.wait()}")
            for words in [line.decode(errors="replace").split() for line in lines]:
                if words[:1] == ["move"] and self.thinking:
                    self.turn("".join(words[2:]))
        except Refusal as refusal:
            self.fail(refusal)

    def turn(self, text):
        """Answers with the program's turn."""
        names = [text[at : at + 3] for at in range(0, len(text), 3)]
        if not all(name in SAU_NAMES for name in names):
            raise Refusal(f"the program answered {text}")
        edges = [SAU_NAMES[name] for name in names]
        theirs = "+".join(map(edge_name, edges))
        try:
            turn = self.board.order(edges)
        except Refusal as refusal:
            raise Refusal(f"{refusal}: {theirs}") from None
        if turn != edges:
            say(f"info string the program's turn was {theirs}")
        after, word = self.board.copy(), "+".join(map(edge_name, turn))
        for edge in turn:
            after.draw(edge)
        more = [word] if "moves" in self.words else ["moves", word]
        self.told, self.thinking = (self.words + more, after), False
        self.answer(word)

    def fail(self, why):
        """Gives up, and ends the program: nobody knows what it would do next."""
        say(f"info string {why}")
        self.end()
        if self.thinking:
            self.thinking = False
            self.answer("resign")

    def answer(self, turn):
        """Answers `go`."""
        self.held = turn
        if not self.infinite:
            say(f"bestmove {turn}")

    def stop(self, words):
        """Answers `go infinite`, now or when the program does."""
        if self.infinite:
            self.infinite = False
            if self.held is not None:
                say(f"bestmove {self.held}")

    def end(self):
        """Ends the program, which does not end when its input does."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
        self.process, self.told, self.rest = None, None, b""


def main():
    """Speaks UGI."""
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        sys.exit(0 if len(sys.argv) == 2 else 2)
    path = os.path.abspath(sys.argv[1])
    if not os.path.isfile(path) or not os.access(path, os.X_OK):
        sys.exit(f"selflocking.py: no program {path}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    session = Session(path)
    try:
        session.run()
    finally:
        session.end()


if __name__ == "__main__":
    main()
