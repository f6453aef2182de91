"""Plays Gomoku with the contest's opening, and holds its opponent to the ceremony.

`ceremony.py PROTOCOL [swap] [N]`: PROTOCOL is ugi, sau or gtp; as Second it swaps if asked to; as First
it says N (2 by default). An opponent that breaks the order of the opening ends the program.
"""

import re
import sys

protocol = sys.argv[1]
swaps = "swap" in sys.argv
wanted = next((word for word in sys.argv[2:] if word.isdigit()), "2")
ACTION = re.compile(r"swap|pass|claim|x\d+|[a-o]\d+")


def actions(turn):
    found = ACTION.findall(turn)
    assert "".join(found) == turn, turn
    return found


class Game:
    """What has been played, as far as the opening needs it."""

    def __init__(self):
        self.turns = 0
        self.stones = {}
        self.count = None
        self.offers = []
        self.exchanged = False
        self.to_move = "b"

    def place(self, cell):
        assert cell not in self.stones, cell
        self.stones[cell] = self.to_move
        self.to_move = "w" if self.to_move == "b" else "b"

    def play(self, turn):
        words = actions(turn)
        placed = len(self.stones)
        if placed == 0:
            assert len(words) == 4 and words[3][0] == "x", turn
            for cell in words[:3]:
                self.place(cell)
            self.count = int(words[3][1:])
        elif words == ["swap"]:
            assert placed == 3 and not self.exchanged, turn
            self.exchanged = True
            return
        elif placed == 3:
            assert len(words) == 1, turn
            self.place(words[0])
        elif placed == 4 and not self.offers:
            assert len(words) == self.count and len(set(words)) == self.count, turn
            self.offers = words
            self.to_move = "w"
            return
        elif placed == 4:
            assert len(words) == 2 and words[0] in self.offers, turn
            self.to_move = "b"
            for word in words:
                if word != "pass":
                    self.place(word)
        else:
            assert len(words) == 1, turn
            if words[0] not in ("pass", "claim"):
                self.place(words[0])
            else:
                self.to_move = "w" if self.to_move == "b" else "b"

    def free(self, row):
        cells = (f"{column}{row}" for row in (row, 1, 13) for column in "abcdefghijklmno")
        return (cell for cell in cells if cell not in self.stones)

    def choose(self):
        placed = len(self.stones)
        if placed == 0:
            return "h8h9j10x" + wanted
        if placed == 3:
            return "swap" if swaps and not self.exchanged else "g7"
        if placed == 4 and not self.offers:
            cells = self.free(2)
            return "".join(next(cells) for _ in range(self.count))
        if placed == 4:
            kept = self.offers[-1]
            return kept + next(cell for cell in self.free(4) if cell != kept)
        return next(self.free(15 if self.to_move == "b" else 4))


def letters(turn):
    def pair(word):
        if word[0] == "x" or word in ("swap", "pass", "claim"):
            return word.upper() if word[0] == "x" else word
        return word[0].upper() + chr(ord("A") + 15 - int(word[1:]))

    return "".join(pair(word) for word in actions(turn))


def unlettered(text):
    if text in ("swap", "pass", "claim"):
        return text
    tail = ""
    if text.endswith("pass"):
        text, tail = text[:-4], "pass"
    count = re.search(r"X\d+$", text)
    if count:
        text, tail = text[: count.start()], count.group().lower()
    pairs = (text[at : at + 2] for at in range(0, len(text), 2))
    return "".join(x.lower() + str(15 - (ord(y) - ord("A"))) for x, y in pairs) + tail


def say(text):
    print(text, flush=True)


game = Game()


def answer():
    turn = game.choose()
    game.play(turn)
    return turn


for line in sys.stdin:
    words = line.split()
    if not words:
        continue
    if words[0] == "quit":
        if protocol == "gtp":
            say("= \n")
        break
    if protocol == "ugi":
        if words[0] == "ugi":
            say("id name ceremony\nugiok")
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "position":
            assert words[1] == "startpos", line
            game = Game()
            for turn in words[3:]:
                game.play(turn)
        elif words[0] == "go":
            say("bestmove " + game.choose())
    elif protocol == "sau":
        if words[0] == "name?":
            say("name ceremony")
        elif words[0] == "new":
            game = Game()
            if words[1] == "black":
                say("move " + letters(answer()))
        elif words[0] == "move":
            game.play(unlettered(words[1]))
            # The loser of the last turn must not answer; nothing comes after `end`.
            say("move " + letters(answer()))
    else:
        if words[0] == "list_commands":
            say("= name\nplay\ngenmove\nboardsize\nclear_board\nquit\nlist_commands\n")
        elif words[0] == "play":
            assert words[1][0] == game.to_move or words[2] == "swap", line
            game.play(words[2].lower())
            say("= \n")
        elif words[0] == "genmove":
            say("= " + answer() + "\n")
        elif words[0] in ("boardsize", "clear_board"):
            game = Game()
            say("= \n")
        elif words[0] in ("name", "version", "protocol_version"):
            say({"name": "= ceremony\n", "version": "= 1\n"}.get(words[0], "= 2\n"))
        else:
            say("? unknown command\n")
