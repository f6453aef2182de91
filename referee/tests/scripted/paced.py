"""A Hex engine in UGI that plays any cell, and no sooner than the test lets it: before each turn it
waits until a file allows so many turns of the game.

Arguments: the file.
"""

import random
import sys
import time

pace = sys.argv[1]
cells = [f"{column}{row}" for column in "abcdefghijk" for row in range(1, 12)]
random.Random(5).shuffle(cells)
moves = []


def say(text):
    print(text, flush=True)


def allowed():
    try:
        with open(pace) as file:
            return int(file.read() or 0)
    except FileNotFoundError:
        return 0


for line in sys.stdin:
    words = line.split()
    if words[0] == "ugi":
        say("id name paced\noption name Game type string default hex")
        say("option name Variant type string default {}\nugiok")
    elif words[0] == "isready":
        say("readyok")
    elif words[0] == "position":
        moves = words[words.index("moves") + 1 :] if "moves" in words else []
    elif words[0] == "go":
        while allowed() <= len(moves):
            time.sleep(0.01)
        free = [cell for cell in cells if cell not in moves]
        score = 40 * len(moves) % 300 - 100
        say(f"info depth {len(moves) % 7 + 3} score cp {score} nodes 12345 pv {' '.join(free[:5])}")
        say(f"bestmove {free[0]}")
    elif words[0] == "quit":
        break
