"""A Hex engine in GTP that takes the first empty cell. It exits at any line that is not GTP.

Arguments: optionally a special behaviour: `sloppy`, `resigns`, `refuses`, `small`, `slow`; or `skip-i` or
`all`, which refuse cells that they do not have, and leave out the column letter i or have it.
"""

import re
import sys
import time

habit = sys.argv[1] if len(sys.argv) > 1 else ""
size, stones = 11, {}
letters = "abcdefghjklmnopqrst" if habit == "skip-i" else "abcdefghijklmnopqrst"


def say(mark, text=""):
    end = "\r\n" if habit == "sloppy" else "\n"
    if habit == "sloppy":
        sys.stdout.buffer.write("思考中…".encode("gbk") + end.encode())
        text = text.upper()
    sys.stdout.buffer.write(f"{mark} {text}{end}{end}".encode())
    sys.stdout.flush()


def play(colour, move):
    column, row = letters.index(move[0]), int(move[1:]) - 1
    assert (column, row) not in stones, move
    stones[column, row] = colour


def choose(colour):
    for row in range(size):
        for column in range(size):
            if (column, row) not in stones:
                move = f"{letters[column]}{row + 1}"
                play(colour, move)
                return move


for line in sys.stdin:
    assert re.fullmatch(r"[a-z_]+( [^ \n]+)*\n", line), line
    command, *words = line.split()
    if command == "name":
        say("=", "First cell")
    elif command == "version":
        say("=", "1.0")
    elif command == "list_commands":
        say("=", "name\nversion\nboardsize\nclear_board\nplay\ngenmove\ntime_settings\nquit")
    elif command == "boardsize":
        assert words[0] == words[1], line
        size = int(words[0])
        say("?" if habit == "small" else "=", "unacceptable size" if habit == "small" else "")
    elif command == "clear_board":
        stones = {}
        say("=")
    elif command == "play" and habit in ["skip-i", "all"] and words[1][0] not in letters[:size]:
        say("?", "illegal move")
    elif command == "play":
        play(*words)
        refuses = habit == "refuses" and len(stones) > 4
        say("?" if refuses else "=", "illegal move" if refuses else "")
    elif command == "genmove":
        if habit == "slow":
            time.sleep(100)
        say("=", "resign" if habit == "resigns" and len(stones) > 4 else choose(words[0]))
    elif command == "time_settings":
        assert len(words) == 3 and all(word.isdigit() for word in words), line
        say("=")
    elif command == "quit":
        say("=")
        break
    else:
        sys.exit(f"not asked for: {line}")
