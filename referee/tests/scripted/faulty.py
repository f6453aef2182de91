"""An engine that plays the first empty cells and misbehaves in one of its turns.

It plays Hex in GTP and Botzone's protocol, Connect6 in Gomocup's.

Arguments: a protocol, `gtp`, `gomocup`, `botzone` or `staying` (Botzone, keeps running); a fault, one
of those in `misbehave`; and the turn in which it occurs, from 1.
"""

import json
import os
import sys
import time

protocol, fault, when = sys.argv[1], sys.argv[2], int(sys.argv[3])
LONG = 60
STAY = b">>>BOTZONE_REQUEST_KEEP_RUNNING<<<\n"
size = 19 if protocol == "gomocup" else 11
stones, turns = set(), 0


def write(data):
    while data:
        data = data[os.write(1, data) :]


def framed(words):
    """An answer in the format of the protocol."""
    if protocol == "gtp":
        return b"= " + words + b"\n\n"
    return words + b"\n" + (STAY if protocol == "staying" else b"")


def choose():
    """The first empty cells, in the notation of the protocol."""
    cells = ((x, y) for y in range(size) for x in range(size) if (x, y) not in stones)
    two = protocol == "gomocup" and stones
    cells = [next(cells) for _ in range(2 if two else 1)]
    stones.update(cells)
    (x, y) = cells[0]
    if protocol == "gtp":
        return b"%c%d" % (ord("a") + x, y + 1)
    if protocol == "gomocup":
        return " ".join(f"{x},{y}" for x, y in cells).encode()
    return json.dumps({"response": {"x": y, "y": x}}).encode()


def fork(leaves):
    """A child that keeps running, in its own session if it leaves the engine's."""
    if os.fork() == 0:
        if leaves:
            os.setsid()
        time.sleep(LONG)
        os._exit(0)


def misbehave(answer):
    if fault == "nothing":
        write(answer)
    elif fault == "garbage":
        write(framed(b"\xff\xfe\x01"))
    elif fault == "exit":
        os._exit(0)
    elif fault == "status":
        write(answer)
        os._exit(3)
    elif fault == "silence":
        time.sleep(LONG)
    elif fault == "late":
        time.sleep(3)
        write(answer)
    elif fault == "half":
        write(answer.strip()[:-1])
        time.sleep(LONG)
    elif fault == "unended":
        # The answer without its end.
        write(answer[: answer.index(b"\n") + 1])
        time.sleep(LONG)
    elif fault == "endless-line":
        while True:
            write(b"x" * 4096)
    elif fault == "long-line":
        write(b"x" * 100000 + b"\n" + answer)
    elif fault == "data":
        response = json.loads(answer.splitlines()[0])
        response["data"] = "x" * 200000
        write(framed(json.dumps(response).encode()))
    elif fault == "flood":
        while True:
            write(b"hello\n" * 500)
    elif fault == "endless-answer":
        write(answer[: answer.index(b"\n") + 1])
        while True:
            write(b"hello\n" * 500)
    elif fault == "closed":
        os.close(1)
        time.sleep(LONG)
    elif fault == "answered-and-closed":
        write(answer)
        os.close(1)
        time.sleep(LONG)
    elif fault == "child":
        fork(False)
        os._exit(3)
    elif fault == "children":
        fork(False)
        fork(True)
        write(answer)
    elif fault == "two":
        write(answer + answer)
    elif fault == "early":
        write(answer + framed(choose()))
    elif fault == "answered-and-gone":
        write(answer)
        os._exit(0)
    else:
        sys.exit(f"no fault: {fault}")


def play():
    global turns
    turns += 1
    answer = framed(choose())
    if turns == when:
        misbehave(answer)
    elif fault == "early" and turns == when + 1:
        time.sleep(LONG)
    else:
        write(answer)


def gtp():
    for line in sys.stdin:
        command, *words = line.split()
        if command == "genmove":
            play()
            continue
        if command == "play":
            stones.add((ord(words[1][0]) - ord("a"), int(words[1][1:]) - 1))
        write(framed(b""))


def gomocup():
    for line in sys.stdin:
        command, *words = line.split()
        if command == "ABOUT":
            write(b'name="Faulty"\n')
        elif command == "START":
            write(b"OK\n")
        elif command == "TURN":
            stones.update(tuple(map(int, cell.split(","))) for cell in words)
        if command in ["BEGIN", "TURN"]:
            play()


def botzone():
    global turns
    whole = json.loads(sys.stdin.readline())
    stones.update((it["y"], it["x"]) for it in whole["requests"] + whole["responses"])
    turns = len(whole["responses"])
    play()
    while protocol == "staying":
        request = json.loads(sys.stdin.readline() or sys.exit())
        stones.add((request["y"], request["x"]))
        play()


{"gtp": gtp, "gomocup": gomocup, "botzone": botzone, "staying": botzone}[protocol]()
