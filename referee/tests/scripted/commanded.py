"""A Connect6 engine in SAU or the Gomocup protocol that plays only if it was told `depth 4` and
`book 0` since its last game, in this order. It takes the first empty cells of the rows from the top,
and exits at any line that it does not know, except those that `referee check` tries.

Arguments: the protocol, and what it says to each of these commands, if anything.
"""

import re
import sys

protocol, answer = sys.argv[1], sys.argv[2]
size, stones, told, fresh = 19, set(), [], True


def say(text):
    print(text, flush=True)


def begin():
    global told, fresh
    fresh = False
    if told != ["depth 4", "book 0"]:
        sys.exit(f"told {told}")
    told = []
    stones.clear()


def choose():
    cells = [(x, y) for y in range(size) for x in range(size) if (x, y) not in stones]
    chosen = cells[: 2 if stones else 1]
    stones.update(chosen)
    return chosen


def answer_in_sau():
    cells = choose() + [None]
    letters = [chr(65 + cell[0]) + chr(65 + cell[1]) if cell else "@@" for cell in cells[:2]]
    say("move " + "".join(letters))


def answer_in_gomocup():
    say(" ".join(f"{x},{y}" for x, y in choose()))


def put(x, y):
    assert (x, y) not in stones
    stones.add((x, y))


def read_sau(line):
    if line == "name?":
        say("name Commanded")
    elif line in ["new black", "new white"]:
        begin()
        if line == "new black":
            answer_in_sau()
    elif re.fullmatch(r"move ([A-S]{2}){1,2}(@@)?", line):
        for place in range(5, len(line), 2):
            if line[place] != "@":
                put(ord(line[place]) - 65, ord(line[place + 1]) - 65)
        answer_in_sau()
    elif line not in ["end", "error", "", "xyzzy nothing happens"]:
        sys.exit(f"not part of the protocol: {line}")


def read_gomocup(line):
    global fresh, told
    if line == "ABOUT":
        say('name="Commanded"')
    elif line == "START 19":
        fresh, told = True, []
        say("OK")
    elif line in ["START 1000", "RECTSTART 20,19", "RESTART"]:
        say("ERROR no such board")
    elif line == "XYZZY":
        say("UNKNOWN")
    elif line == "BOARD":
        begin()
    elif re.fullmatch(r"\d+,\d+,[12]", line):
        put(*map(int, line.split(",")[:2]))
    elif line == "DONE":
        answer_in_gomocup()
    elif re.fullmatch(r"BEGIN|TURN \d+,\d+( \d+,\d+)?", line):
        if fresh:
            begin()
        for cell in line.split(" ")[1:]:
            put(*map(int, cell.split(",")))
        answer_in_gomocup()
    elif line and not re.fullmatch(r"INFO [a-z_]+ .*", line):
        sys.exit(f"not part of the protocol: {line}")


for line in sys.stdin:
    line = line.strip()
    if re.fullmatch("(depth|book) [0-9]", line):
        told.append(line)
        if answer:
            say(answer)
    elif line in ["quit", "END"]:
        break
    else:
        {"sau": read_sau, "gomocup": read_gomocup}[protocol](line)
