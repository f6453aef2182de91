"""A UGI engine for small Hex boards that plays the first empty cell, expects the next one as the reply, and
thinks about its answer in its opponent's turn. It checks that it is asked as the protocol says."""
import sys

SIZE = 4
CELLS = [f"{column}{row}" for column in "abcd"[:SIZE] for row in range(1, SIZE + 1)]


def say(line):
    print(line, flush=True)


def answer(moves):
    empty = [cell for cell in CELLS if cell not in moves]
    expected = f" ponder {empty[1]}" if len(empty) > 1 else ""
    say(f"bestmove {empty[0]}{expected}")


moves, pondering = [], False
for line in sys.stdin:
    words = line.split()
    if words[0] == "ugi":
        say("id name pondering")
        say("option name Ponder type check default false")
        say("ugiok")
    elif words[0] == "isready":
        say("readyok")
    elif words[0] == "position":
        if pondering:
            sys.exit("a position in a search")
        moves = words[words.index("moves") + 1 :] if "moves" in words else []
    elif words[0] == "go":
        pondering = "ponder" in words
        if pondering:
            say("info depth 1 score cp 5 pv a1")
        else:
            answer(moves)
    elif words[0] == "ponderhit":
        if not pondering:
            sys.exit("ponderhit without a search")
        pondering = False
        if "p1time" not in words and "movetime" not in words:
            sys.exit("ponderhit without a clock")
        answer(moves)
    elif words[0] == "stop":
        if not pondering:
            sys.exit("stop without a search")
        pondering = False
        answer(moves)
    elif words[0] == "quit":
        break
