"""A Hex bot of Botzone that takes the first empty cell. It exits at any input that the
Botzone judge would not send.

Arguments: `json` or `simple`, and optionally a special behaviour: `stay`, `data`, `crash`, `lingers`,
`nonsense`, `warms-up` (its first turn takes as many seconds as a third argument says), `sloppy` (deviates from the protocol and resigns in its third turn).
"""

import json
import sys
import time

form, habit = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
stones = set()


def put(cell):
    if cell != (-1, -1):
        assert cell not in stones and min(cell) >= 0, cell
        stones.add(cell)


def cell_of(value):
    if form == "json":
        return value["x"], value["y"]
    x, y = map(int, value.split()[:2])
    return x, y


def read():
    """Reads the requests, the responses and the saved data."""
    if form == "json":
        whole = json.loads(sys.stdin.readline())
        assert 0 < whole["memory_limit"], whole
        return whole["requests"], whole["responses"], whole.get("data")
    count = int(sys.stdin.readline())
    lines = [sys.stdin.readline() for _ in range(2 * count - 1)]
    data = sys.stdin.readline().strip() if habit == "data" and count > 1 else None
    return lines[::2], lines[1::2], data


def answer(data):
    x, y = next((x, y) for x in range(11) for y in range(11) if (x, y) not in stones)
    put((x, y))
    if habit == "sloppy":
        # An empty line, a byte-order mark, and no line end.
        sys.stdout.buffer.write(b"\r\n\xef\xbb\xbf")
        x = str(x) if form == "json" else x
    if form == "json":
        whole = {"response": {"x": x, "y": y}, "debug": "first"}
        if data is not None:
            whole["data"] = data
        print(json.dumps(whole), end="" if habit == "sloppy" else "\n")
    else:
        print(x, y, end="" if habit == "sloppy" else "\n")
        if data is not None:
            print(data)


requests, responses, kept = read()
for value in requests + responses:
    put(cell_of(value))
turns = len(responses)
if habit == "data":
    # Every request has the data of the previous response.
    assert str(kept) == (f"turn {turns}" if turns else "None"), kept
if habit == "nonsense" and turns > 1:
    print("I do not know")
    sys.exit()
if habit == "sloppy" and turns > 1:
    print("resign")
    sys.exit()
if habit == "warms-up" and turns == 0:
    time.sleep(float(sys.argv[3]))
answer(f"turn {turns + 1}" if habit == "data" else None)
if habit == "stay":
    while True:
        print(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<", flush=True)
        line = sys.stdin.readline()
        if not line:
            break
        put(cell_of(json.loads(line) if form == "json" else line))
        answer(None)
sys.stdout.flush()
if habit == "crash" and turns > 1:
    sys.exit(3)
if habit == "lingers" and turns > 1:
    time.sleep(100)
