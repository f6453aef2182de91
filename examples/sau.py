#!/usr/bin/env python3
"""A Hex engine that speaks the SAU platform's protocol and plays at random: a template
for your own.

The first part is the game, the second the protocol; neither depends on the other.
For another game, replace the first part; for a better engine, start with choose().
"""

import random
import sys

# ---- The game: Hex, 11 columns and 11 rows -----------------------------------------------------

NAME = "random hex (python, sau)"
COLOURS = ["red", "blue"]  # the side that moves first, and the other
SIZE = 11
# The six neighbours of a cell (column, row).
NEIGHBOURS = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)]


class Game:
    """A position. Red moves first and connects top and bottom, blue left and right."""

    def __init__(self):
        self.stones = {}  # (column, row), both from 0, row 0 on top: "red" or "blue"
        self.to_move = "red"

    def moves(self):
        """All legal moves: the empty cells."""
        cells = [(column, row) for row in range(SIZE) for column in range(SIZE)]
        return [cell for cell in cells if cell not in self.stones]

    def play(self, cell):
        """Plays a legal move."""
        self.stones[cell] = self.to_move
        self.to_move = "blue" if self.to_move == "red" else "red"

    def undo(self, cell):
        """Takes back the last move."""
        self.to_move = self.stones.pop(cell)

    def is_over(self):
        """Whether the side that moved last has connected its edges."""
        last = "blue" if self.to_move == "red" else "red"
        along = 1 if last == "red" else 0  # red goes from row to row, blue from column to column
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
    """A move as the platform writes it: two letters, column from the left and row from the top."""
    return ord(text[0].upper()) - ord("A"), ord(text[1].upper()) - ord("A")


def write_move(cell):
    return chr(ord("A") + cell[0]) + chr(ord("A") + cell[1])


def choose(game, refused):
    """The engine's move, except those that the platform has refused. Put your search here.

    The platform sends no time: your engine must limit itself.
    """
    moves = game.moves()
    return random.choice([move for move in moves if move not in refused] or moves)


# ---- The protocol ------------------------------------------------------------------------------


def say(line):
    """Writes a line and flushes it: a buffered line never reaches the platform."""
    print(line, flush=True)


class Session:
    """The game in progress, if any."""

    def __init__(self):
        self.game = None
        self.colour = None  # the engine's colour
        self.last = None  # its last move
        self.refused = []  # moves that the platform refused in this turn

    def answer_if_due(self):
        """Moves if it is the engine's turn and the game is not over."""
        if self.game and self.game.to_move == self.colour and not self.game.is_over():
            self.last = choose(self.game, self.refused)
            self.game.play(self.last)
            say(f"move {write_move(self.last)}")

    def new(self, colour):
        self.game, self.colour, self.last, self.refused = Game(), colour, None, []
        self.answer_if_due()  # the side that moves first answers `new`

    def move(self, text):
        """The opponent's move."""
        if self.game:
            self.refused = []
            self.game.play(read_move(text))
            self.answer_if_due()

    def error(self):
        """The platform has refused the engine's last move and expects another."""
        if self.game and self.last in self.game.stones:
            self.game.undo(self.last)
            self.refused.append(self.last)
            self.answer_if_due()


def main():
    session = Session()
    for line in sys.stdin:
        words = line.split()  # also removes the line end, LF or CRLF
        command = words[0] if words else ""
        if command == "name?":
            say(f"name {NAME}")
        elif command == "new":
            session.new(words[1])
        elif command == "move":
            session.move(words[1])
        elif command == "error":
            session.error()
        elif command == "end":
            session.game = None
        elif command == "quit":
            break
        # Unknown commands need no answer.


if __name__ == "__main__":
    main()
