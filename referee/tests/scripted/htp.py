"""A Hex engine in HTP, as MoHex speaks it, that takes the first empty cell.

It exits at a line that it does not expect, at an occupied cell, and at a `genmove` without having been
told its time in a way that it understands.

Arguments: any of

- `swap`, `swap-pieces`, `swap-sides`: it swaps, with this word; `mirrors`: the swap moves the stone;
- `settings`: it lists `time_settings`, and refuses it and three arguments of `time_left`;
- `deaf`: it lists no `time_left`; `limited`: it searches for the seconds of its parameter `max_time`;
  `managed`: it has that parameter, but manages its time itself;
- `words`: its booleans are `true` and `false`; `stubborn`: they are `on` and `off`;
- `quiet`: it need not be told its time;
- `resigns`: it resigns in its second turn, in upper case.
"""

import re
import sys

habits = set(sys.argv[1:])
swap_word = next((word for word in habits if word.startswith("swap")), None)
booleans = ["on", "off"] if "stubborn" in habits else ["true", "false"] if "words" in habits else ["0", "1"]
listed = ["name", "version", "list_commands", "boardsize", "clear_board", "play", "genmove", "quit"]
listed += ["time_left"] * ("deaf" not in habits) + ["time_settings"] * ("settings" in habits)
listed += ["param_htp"]
size, stones, told, turns = 11, {}, set(), 0


class Refused(Exception):
    pass


def swap():
    ((cell, colour),) = stones.items()
    assert colour == "b"
    if "mirrors" in habits:
        stones.clear()
        stones[cell[::-1]] = "w"


def play(colour, move):
    if move.startswith("swap"):
        assert colour == "w" and move == "swap-pieces", move
        return swap()
    cell = (ord(move[0]) - ord("a"), int(move[1:]) - 1)
    assert cell not in stones, move
    stones[cell] = colour


def choose(colour):
    global turns
    turns += 1
    needed = {"max_time"} if "limited" in habits else {"time_left"} - {"quiet" in habits and "time_left"}
    assert needed <= told, f"not told: {needed - told}"
    if "managed" in habits:
        assert "max_time" not in told
    if "resigns" in habits and turns == 2:
        return "RESIGN"
    if swap_word and turns == 1 and colour == "w" and list(stones.values()) == ["b"]:
        swap()
        return swap_word
    cells = ((column, row) for row in range(size) for column in range(size))
    column, row = next(cell for cell in cells if cell not in stones)
    stones[column, row] = colour
    return f"{'abcdefghijklmnopqrs'[column]}{row + 1}"


def parameter(words):
    if not words:
        managed = int("managed" in habits)
        has_limit = habits & {"limited", "managed"}
        limit = f"[bool] use_time_management {managed}\n[string] max_time 10\n" if has_limit else ""
        return "\n[bool] ponder 1\n" + limit.rstrip()
    name, value = words
    if name == "ponder":
        if value not in booleans:
            raise Refused("argument is not a boolean")
    else:
        assert name == "max_time" and re.fullmatch(r"[0-9.]+", value), words
        told.add("max_time")
    return ""


def answer(command, words):
    global size
    if command == "list_commands":
        return "\n".join(listed)
    if command == "name":
        return "HTP"
    if command == "version":
        return "1"
    if command == "boardsize":
        size = int(words[0])
        stones.clear()
        return ""
    if command == "clear_board":
        stones.clear()
        return ""
    if command == "play":
        return play(*words) or ""
    if command == "genmove":
        return choose(*words)
    if command == "param_htp":
        return parameter(words)
    if command == "time_settings":
        raise Refused("unknown command")
    if command == "time_left":
        if len(words) != 2:
            raise Refused("wrong number of arguments")
        assert words[0] in "bw" and words[1].isdigit(), words
        told.add("time_left")
        return ""
    assert command == "quit", command
    return ""


for line in sys.stdin:
    command, *words = line.split()
    assert command in listed, line
    try:
        print(f"= {answer(command, words)}\n", flush=True)
    except Refused as refused:
        print(f"? {refused}\n", flush=True)
