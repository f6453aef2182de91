#!/usr/bin/env python3
"""A Hex engine that speaks UGI and plays at random: a template for your own.

The first part is the game, the second the protocol; neither depends on the other.
For another game, replace the first part; for a better engine, start with choose().
"""

import random
import sys

# ---- The game: Hex, 11 columns a to k, 11 rows 1 to 11 from the top ----------------------------

NAME = "random hex (python, ugi)"
SIZE = 11
# The six neighbours of a cell (column, row).
NEIGHBOURS = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)]


class Game:
    """A position. Red moves first and connects top and bottom, blue left and right."""

    def __init__(self):
        self.stones = {}  # (column, row), both from 0: "r" or "b"
        self.to_move = "r"

    def set_up(self, text):
        """Sets up a position: rows from the top, stones r and b, numbers for empty cells."""
        rows, self.to_move = text.split()[:2]
        self.stones = {}
        for row, cells in enumerate(rows.split("/")):
            column, number = 0, ""
            for letter in cells:
                if letter.isdigit():
                    number += letter
                    continue
                column += int(number or 0)
                number = ""
                self.stones[column, row] = letter
                column += 1

    def moves(self):
        """All legal moves: the empty cells."""
        cells = [(column, row) for row in range(SIZE) for column in range(SIZE)]
        return [cell for cell in cells if cell not in self.stones]

    def play(self, cell):
        """Plays a legal move."""
        self.stones[cell] = self.to_move
        self.to_move = "b" if self.to_move == "r" else "r"

    def is_over(self):
        """Whether the side that moved last has connected its edges."""
        last = "b" if self.to_move == "r" else "r"
        along = 1 if last == "r" else 0  # red goes from row to row, blue from column to column
        reached = [cell for cell in self.stones if self.stones[cell] == last and cell[along] == 0]
        seen = set(reached)
        while reached:
            column, row = cell = reached.pop()
            if cell[along] == SIZE - 1:
                return True
            for right, down in NEIGHBOURS:
                near = (column + right, row + down)
                if near not in seen and self.stones.get(near) == last:
                    seen.add(near)
                    reached.append(near)
        return False


def read_move(text):
    """A move as UGI writes it: c2."""
    return ord(text[0].lower()) - ord("a"), int(text[1:]) - 1


def write_move(cell):
    return chr(ord("a") + cell[0]) + str(cell[1] + 1)


def choose(game):
    """The engine's move. Put your search here; it must obey the clock in `go`."""
    return random.choice(game.moves())


# ---- The protocol ------------------------------------------------------------------------------


def say(line):
    """Writes a line and flushes it: a buffered line never reaches the referee."""
    print(line, flush=True)


def position(words):
    """`startpos` or `fen …`, optionally followed by `moves …`."""
    game = Game()
    at = words.index("moves") if "moves" in words else len(words)
    if words[0] == "fen":
        game.set_up(" ".join(words[1:at]))
    for word in words[at + 1 :]:
        game.play(read_move(word))
    return game


def main():
    game = Game()
    waiting = None  # the answer to `go infinite`, sent at `stop`
    for line in sys.stdin:
        words = line.split()  # also removes the line end, LF or CRLF
        command = words[0] if words else ""
        if command == "ugi":
            say(f"id name {NAME}")
            say("id author your team")
            # Declare options here: option name table type spin default 64 min 1 max 1024
            say("ugiok")
        elif command == "isready":
            say("readyok")
        elif command == "position":
            game = position(words[1:])
        elif command == "go":
            # p1time MS p2time MS p1inc MS p2inc MS, or movetime MS, nodes N, depth N, infinite
            answer = "none" if game.is_over() else write_move(choose(game))
            if "infinite" in words:
                waiting = answer
            else:
                say(f"bestmove {answer}")
        elif command == "stop" and waiting is not None:
            say(f"bestmove {waiting}")
            waiting = None
        elif command == "quit":
            break
        # `uginewgame`, `setoption` and unknown commands need no answer.


if __name__ == "__main__":
    main()
