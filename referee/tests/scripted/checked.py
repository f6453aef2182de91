"""An engine for `referee check` that plays the first empty cells and fails at one point.

It plays Hex in GTP and Botzone's protocol, Connect6 in Gomocup's.

Arguments: a protocol, `gtp`, `gomocup`, `botzone`, `simple` (Botzone's simplified form) or `staying`
(Botzone, keeps running); and a fault, or `nothing`.
"""

import json
import os
import re
import sys
import time

protocol, fault = sys.argv[1:3]
LONG = 60
STAY = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"


def say(text):
    os.write(1, f"{text}\n".encode())


def lines():
    """The lines of the input, without LF. A line that is not ASCII ends the engine."""
    while line := sys.stdin.readline():
        if not line.isascii():
            sys.exit(f"not ASCII: {line}")
        yield line.removesuffix("\n")


def leave():
    """The end of the program, when its input ends."""
    if fault == "lingers":
        time.sleep(LONG)
    if fault == "slow":
        time.sleep(2)


def be_late(seconds):
    """Takes too long, once."""
    global fault
    fault = "nothing"
    time.sleep(seconds)


def fork():
    """A process that keeps running when the engine has exited."""
    if fault == "child" and os.fork() == 0:
        os.setsid()
        for pipe in range(3):
            os.close(pipe)
        time.sleep(LONG)
        os._exit(0)


class Board:
    def __init__(self, size):
        self.size = size
        self.own = 0
        self.clear()

    def clear(self):
        """Begins a new game."""
        if fault == "one-game" and self.own > 1:
            sys.exit(5)
        self.stones = []
        self.own = 0  # turns that the engine has chosen
        self.timed = False  # whether it got a time limit for these

    def is_free(self, cell):
        return cell not in self.stones and all(0 <= at < self.size for at in cell)

    def next(self, count):
        """The first empty cells. In Hex, First fills rows and Second columns, so that games are short."""
        along_rows = count > 1 or len(self.stones) % 2 == 0
        cells = ((x, y) if along_rows else (y, x) for y in range(self.size) for x in range(self.size))
        return [cell for cell in cells if cell not in self.stones][:count]

    def choose(self, count):
        chosen = self.next(count)
        self.stones += chosen
        self.own += 1
        return chosen

    def is_set_up(self):
        """Whether it got a position instead of playing it."""
        return self.own == 0 and len(self.stones) > 2


# ---- GTP ---------------------------------------------------------------------------------------

COMMANDS = """protocol_version name version known_command list_commands quit boardsize clear_board
play genmove undo time_settings time_left""".split()


GTP_LETTERS = "abcdefghjklmnopqrst" if fault == "skip-i" else "abcdefghijklmnopqrs"


def gtp_cell(move):
    found = re.fullmatch(r"([a-t])(\d+)", move)
    if not found or found[1] not in GTP_LETTERS:
        return None
    return GTP_LETTERS.index(found[1]), int(found[2]) - 1


def gtp_listed():
    if fault == "few-commands":
        return [name for name in COMMANDS if name != "clear_board"]
    if fault == "untimed":
        return [name for name in COMMANDS if not name.startswith("time")]
    return COMMANDS


def gtp_genmove(board):
    if fault == "illegal" and board.is_set_up() and not board.timed:
        board.own += 1
        return True, "zz99"
    if fault == "late" and board.is_set_up() and board.timed:
        be_late(6)
    if fault == "dies-on-a-clock" and board.timed and board.own > 1:
        sys.exit("no time left")
    ((x, y),) = board.choose(1)
    return True, f"{GTP_LETTERS[x]}{y + 1}"


def gtp_answer(board, name, words):
    """Whether a command succeeds, and the text."""
    if name == "protocol_version":
        return True, "1" if fault == "old" else "2"
    if name == "name":
        return fault != "nameless", "Checked"
    if name == "version":
        return True, "" if fault == "versionless" else "1.0"
    if name == "list_commands":
        return True, "\n".join(gtp_listed())
    if name == "known_command":
        return True, "true" if words[0] in COMMANDS or fault == "omniscient" else "false"
    if name == "boardsize":
        size = int(words[0])
        if fault == "small" or size > 19 and fault != "huge":
            return False, "unacceptable size"
        board.size = size
        board.clear()
    elif name == "clear_board":
        board.clear()
    elif name == "play":
        cell = gtp_cell(words[1])
        if cell and board.is_free(cell):
            board.stones.append(cell)
        elif fault != "lawless":
            return False, "illegal move"
    elif name == "genmove":
        fork()
        return gtp_genmove(board)
    elif name == "undo":
        if not board.stones:
            return False, "cannot undo"
        if fault != "forgets-to-undo":
            board.stones.pop()
    elif name == "time_settings":
        board.timed = True
    elif name == "time_left":
        return fault != "timeless", ""
    elif name != "quit":
        return fault == "agrees", "unknown command"
    return True, ""


def gtp():
    board = Board(11)
    for line in lines():
        if fault == "silent":
            continue
        while fault == "babbles":
            say("thinking")
            time.sleep(0.05)
        text = "".join(" " if c == "\t" else c for c in line if c == "\t" or c.isprintable())
        if fault != "literal":
            text = text.split("#")[0]
        found = re.match(r"\s*(\d*)\s*(.*)", text)
        number, (name, *words) = found[1], found[2].split() or [""]
        if not name:
            continue
        success, answer = gtp_answer(board, name, words)
        if fault == "numberless":
            number = ""
        end = "" if fault == "endless" else "\n"
        answer = f"{'=' if success else '?'}{number} {answer}".rstrip() + end
        if fault == "chatter":
            say("thinking")
        twice = fault == "twice" and name == "genmove" and board.own == 3
        say(f"{answer}\n{answer}" if twice else answer)
        if name == "quit":
            sys.exit(3 if fault == "bad-status" else 0)
    leave()


# ---- Gomocup -----------------------------------------------------------------------------------


def gomocup_turn(board, limit, left):
    fork()
    if fault == "illegal" and board.is_set_up() and limit == 100:
        board.own += 1
        return "99,99 98,98"
    if fault == "late" and board.is_set_up() and limit == 500:
        be_late(6)
    if fault == "dies-on-a-clock" and left < 10_000 and board.own > 1:
        sys.exit("no time left")
    if fault == "chatter":
        say("thinking")
    cells = board.choose(2 if board.stones else 1)
    turn = " ".join(f"{x},{y}" for x, y in cells)
    return f"{turn}\n{turn}" if fault == "twice" and board.own == 3 else turn


def gomocup_start(board, size):
    if fault == "small" or size > 19 and fault != "huge":
        return "ERROR unsupported size"
    board.size = size
    board.clear()
    return "OK"


def gomocup():
    board, limit, left, sets_up = Board(19), 0, 10**9, False
    for line in lines():
        text = line.strip()
        command, *words = text.split(" ")
        if fault == "silent" or not text:
            continue
        if fault == "literal" and text != line:
            say("UNKNOWN line")
            continue
        if command == "START":
            say(gomocup_start(board, int(words[0])))
        elif command == "RESTART":
            board.clear()
            say("OK")
        elif command == "RECTSTART":
            if fault != "square":
                say("ERROR no rectangles")
        elif command == "ABOUT":
            if fault != "nameless":
                say('name="Checked", version="1.0", author="a test", country="CN"')
        elif command == "INFO":
            limit = int(words[1]) if words[0] == "timeout_turn" else limit
            left = int(words[1]) if words[0] == "time_left" else left
            if fault == "answers-info" and words[0] == "xyzzy":
                say("UNKNOWN key")
        elif command == "BOARD":
            board.clear()
            sets_up = True
        elif sets_up and re.fullmatch(r"\d+,\d+,[12]", text):
            x, y, _ = map(int, text.split(","))
            board.stones.append((x, y))
        elif command == "TURN":
            board.stones += [tuple(map(int, cell.split(","))) for cell in words]
            say(gomocup_turn(board, limit, left))
        elif command in ["BEGIN", "DONE"]:
            sets_up = False
            say(gomocup_turn(board, limit, left))
        elif command == "END":
            sys.exit(3 if fault == "bad-status" else 0)
        elif fault != "mute":
            say("UNKNOWN command")
    leave()


# ---- Botzone -----------------------------------------------------------------------------------


def botzone_cell(value):
    if protocol == "simple":
        return tuple(map(int, value.split()[:2]))
    return value["x"], value["y"]


def botzone_read():
    """The cells of all requests and responses."""
    if protocol == "simple":
        count = int(sys.stdin.readline())
        values = [sys.stdin.readline() for _ in range(2 * count - 1)]
    else:
        whole = json.loads(sys.stdin.readline())
        if fault == "literal" and "xyzzy" in whole:
            sys.exit("what is xyzzy?")
        values = whole["requests"] + whole["responses"]
    return [botzone_cell(value) for value in values]


def botzone_faults(board, heard):
    """Faults instead of an answer. In a game that goes on, `heard` says how the opponent plays:
    like the engine itself (`own`) or not (`other`)."""
    if fault == "silent":
        time.sleep(LONG)
    if fault == "garbage":
        say("hello")
        sys.exit()
    if fault == "illegal" and board.is_set_up():
        return (99, 99)
    if fault == "dies-of-others" and heard == "other":
        sys.exit(5)
    if fault == "dies-of-itself" and heard == "own" and board.own > 3:
        sys.exit(6)
    if fault == "late" and heard:
        be_late(2)
    return None


def botzone_answer(board, heard=None):
    x, y = botzone_faults(board, heard) or board.choose(1)[0]
    debug = {"debug": 1100 * "d"} if fault == "wordy" else {}
    answer = f"{x} {y}" if protocol == "simple" else json.dumps({"response": {"x": x, "y": y}, **debug})
    fork()
    say(answer)
    if fault == "chatter":
        say("thinking")
    if protocol == "staying":
        say(f"{STAY}\n{answer}" if fault == "twice" else STAY)


def botzone():
    board = Board(11)
    board.stones = [cell for cell in botzone_read() if cell != (-1, -1)]
    botzone_answer(board)
    heard = None
    while protocol == "staying" and (line := sys.stdin.readline()):
        cell = botzone_cell(json.loads(line))
        heard = "own" if [cell] == board.next(1) and heard != "other" else "other"
        board.stones.append(cell)
        botzone_answer(board, heard)
    if fault == "bad-status":
        sys.exit(3)
    leave()


{"gtp": gtp, "gomocup": gomocup}.get(protocol, botzone)()
