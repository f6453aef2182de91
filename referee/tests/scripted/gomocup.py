"""A Connect6 engine in the Gomocup protocol that takes the first empty cells of the rows from the top.
It exits at any line that is not part of the protocol.

Arguments: optionally a special behaviour: `sloppy`, `small`, `unknown`, `error`, `nameless` (otherwise
like `error`).
"""

import re
import sys

habit = sys.argv[1] if len(sys.argv) > 1 else ""
size, stones = 19, set()
end = "\r\n" if habit == "sloppy" else "\n"


def say(text):
    if habit == "sloppy":
        sys.stdout.write(f"MESSAGE thinking{end}hello{end}{end}")
    sys.stdout.write(text + end)
    sys.stdout.flush()


def put(text):
    cell = tuple(map(int, text.split(",")))
    assert cell not in stones, cell
    stones.add(cell)


def choose():
    cells = [(x, y) for y in range(size) for x in range(size) if (x, y) not in stones]
    chosen = cells[: 2 if stones else 1]
    stones.update(chosen)
    say(" ".join(f"{x},{y}" for x, y in chosen))


board = False
for line in sys.stdin:
    line = line.rstrip("\n")
    if board and re.fullmatch(r"\d+,\d+,[12]", line):
        put(line.rsplit(",", 1)[0])
    elif line == "ABOUT" and habit == "nameless":
        pass
    elif line == "ABOUT":
        say('name="First cells", version="1.0", author="a test", country="CN"')
    elif re.fullmatch(r"START \d+", line):
        size, stones = int(line[6:]), set()
        answers = {"small": "ERROR unsupported size", "unknown": "UNKNOWN START"}
        say(answers.get(habit, "OK"))
    elif line == "BEGIN":
        choose()
    elif re.fullmatch(r"TURN \d+,\d+( \d+,\d+)?", line):
        for cell in line[5:].split(" "):
            put(cell)
        if habit in ["error", "nameless"] and len(stones) > 6:
            say("ERROR out of ideas")
        else:
            choose()
    elif line == "BOARD":
        board, stones = True, set()
    elif line == "DONE" and board:
        board = False
        choose()
    elif re.fullmatch(r"INFO [a-z_]+ \d+", line):
        pass
    elif line == "END":
        break
    else:
        sys.exit(f"not part of the protocol: {line}")
