#!/usr/bin/env python3
"""OpenSpiel's Monte Carlo tree search as an engine that speaks UGI, for `referee`.

Needs OpenSpiel 2.0.2 and a system with `fork`; tested on Linux only:

    pip install open_spiel==2.0.2

Plays the games whose rules in OpenSpiel are those of the referee:

    amazons         sizes 10 (the contest's), 8 and 6
    dots-and-boxes  all sizes that OpenSpiel has, played to the last edge
    einstein        all variants; OpenSpiel has no choice of a layout, so it is drawn at random
    gomoku          only { opening = "free", forbidden = "off", exactly_five = false }
    hex             opening = "free", or "swap" with swap = "swap-pieces"
    tic-tac-toe

In any other game or variant the engine says why in an `info string` and answers `bestmove none`.

OpenSpiel cannot be given positions, only games from their beginning, as matches are. Boards of
stones are filled stone by stone; any other `position fen …` is given up with `bestmove resign`.

Example, a match against a built-in engine:

    referee match 'python3 open_spiel.py' mcts --game hex --time 1s --games 10
"""

import json
import os
import random
import re
import select
import signal
import sys
import time

import pyspiel

# ---- Games in general --------------------------------------------------------------------------


class Refusal(Exception):
    """A game, variant, position, turn or option that this engine cannot take; says why."""


class NoPosition(Refusal):
    """A position that OpenSpiel cannot be brought to."""


class Rules:
    """A game in one variant: its turns as text, made of the names of OpenSpiel's actions."""

    first_player = 0  # OpenSpiel's number of the side that begins
    joint = None  # what stands between the actions of a turn

    def load(self, text):
        """Loads OpenSpiel's game of this name and parameters, and names its actions."""
        try:
            self.game = pyspiel.load_game(text)
            self.game.new_initial_state()  # refuses some parameters only now
        except pyspiel.SpielError as error:
            raise Refusal(f"OpenSpiel has no {text}: {str(error).splitlines()[0]}") from None
        self.actions = {self.name(a): a for a in range(self.game.num_distinct_actions())}

    def after(self, words):
        """The state after these turns."""
        state = self.game.new_initial_state()
        self.play(state, words)
        return state

    def play(self, state, words):
        """Plays turns."""
        for word in words:
            for name in word.lower().split(self.joint):
                action = self.actions.get(name)
                if state.is_terminal() or action not in state.legal_actions():
                    raise Refusal(f"{word} is not legal")
                state.apply_action(action)

    def from_fen(self, words):
        """The state in a position."""
        raise NoPosition("OpenSpiel cannot be given positions of this game")

    def write(self, state, actions):
        """The text of a turn in a state."""
        return (self.joint or "").join(map(self.name, actions))

    def actions_left(self, state):
        """How many actions the player probably has yet to choose in this turn."""
        return 1

    def layout(self, words):
        """A layout, if one is due after these turns, else None."""
        return None

    def first_to_move(self, state, words):
        """Whether the side that began the game acts next."""
        return state.current_player() == self.first_player


def read_variant(variant, defaults):
    """The settings of a variant, each of which must be known."""
    for key in variant:
        if key not in defaults:
            raise Refusal(f"variant: unknown setting {key!r}")
    return {**defaults, **variant}


def require(settings, key, *values):
    """Refuses a variant in which a setting has another value than these."""
    if settings[key] not in values:
        raise Refusal(
            f"variant: {key} is {json.dumps(settings[key])}; OpenSpiel has only "
            + " or ".join(map(json.dumps, values))
        )


def square(column, number):
    """The name of a square, from a column counted from 0 and a row number: `c2`."""
    return chr(ord("a") + column) + str(number)


# ---- Games on square boards --------------------------------------------------------------------


class Board(Rules):
    """A game whose actions are squares, numbered row by row from the top."""

    letters = ""  # First's and Second's stones in a position
    from_top = False  # whether row 1 is at the top

    def name(self, action):
        """The name of a square."""
        row, column = divmod(action, self.size)
        return square(column, row + 1 if self.from_top else self.size - row)

    def from_fen(self, words):
        """Puts the stones of both sides in turn; the side to move follows from their number."""
        if not self.letters or len(words) < 2:
            return super().from_fen(words)
        board = re.sub(r"\d+", lambda number: "." * int(number[0]), words[0].lower())
        board = board.replace("/", "")
        first, second = ([at for at, stone in enumerate(board) if stone == x] for x in self.letters)
        side = len(first) - len(second)
        if len(board) != self.size**2 or side != self.letters.find(words[1].lower()[:1]):
            raise NoPosition("OpenSpiel cannot be given a position that has not come about in turn")
        turns = [None] * (len(first) + len(second))
        turns[0::2], turns[1::2] = map(self.name, first), map(self.name, second)
        return self.after(turns)


class TicTacToe(Board):
    """Tic-tac-toe."""

    letters = "xo"
    size = 3

    def __init__(self, variant):
        """The game in this variant."""
        read_variant(variant, {})
        self.load("tic_tac_toe")


class Gomoku(Board):
    """Gomoku without a prescribed opening: five or more in a row win."""

    letters = "bw"

    def __init__(self, variant):
        """The game in this variant."""
        contest = {"opening": "prescribed", "forbidden": "at-once", "exactly_five": False}
        settings = read_variant(variant, {"size": 15, **contest})
        require(settings, "opening", "free")
        require(settings, "forbidden", "off")
        require(settings, "exactly_five", False)
        self.size = settings["size"]
        self.load(f"gomoku(size={self.size})")


class Hex(Board):
    """Hex, also with the swap of pieces."""

    letters = "rb"
    from_top = True

    def __init__(self, variant):
        """The game in this variant."""
        contest = {"size": 11, "opening": "free", "swap": "swap-pieces"}
        settings = read_variant(variant, contest)
        require(settings, "opening", "free", "swap")
        swaps = settings["opening"] == "swap"
        if swaps:
            require(settings, "swap", "swap-pieces")
        self.size = settings["size"]
        self.load(f"hex(board_size={self.size},swap={swaps})")

    def name(self, action):
        """The cell of a stone; OpenSpiel numbers the swap after the cells."""
        return "swap" if action == self.size**2 else super().name(action)


class Amazons(Board):
    """Amazons. A turn is three of OpenSpiel's actions: from, to, arrow."""

    joint = "-"
    # OpenSpiel's amazons of First and Second.
    SETUPS = {
        10: ("a4 d1 g1 j4", "a7 d10 g10 j7"),
        8: ("a6 c8 f8 h6", "a3 c1 f1 h3"),
        6: ("a2 b1 e1 f2", "a5 b6 e6 f5"),
    }

    def __init__(self, variant):
        """The game in this variant."""
        self.size = self.read_size(variant)
        # OpenSpiel's First begins at the bottom; with size 8 the referee's begins at the top.
        self.from_top = self.size == 8
        self.load(f"amazons(board_size={self.size})")

    def read_size(self, variant):
        """The size of a board that OpenSpiel has, given as such or as all its amazons."""
        for size, setup in self.SETUPS.items():
            first, second = (sorted(side.split()) for side in setup)
            whole = {"columns": size, "rows": size, "first": first, "second": second}
            given = {"size": 10} if not variant else dict(variant)
            for side in {"first", "second"} & set(given):
                given[side] = sorted(given[side])
            if given in ({"size": size}, whole):
                return size
        raise Refusal(f"variant: OpenSpiel has only sizes 10, 8 and 6, not {json.dumps(variant)}")

    def actions_left(self, state):
        """Three at the start of a turn, one before the arrow."""
        return 3 - len(state.history()) % 3


# ---- Dots and Boxes ----------------------------------------------------------------------------


class DotsAndBoxes(Rules):
    """Dots and Boxes. OpenSpiel's action is one edge; horizontal ones have the lower numbers."""

    joint = "+"

    def __init__(self, variant):
        """The game in this variant."""
        contest = {"columns": 5, "rows": 5, "stop_at_majority": False}
        settings = read_variant(variant, contest)
        require(settings, "stop_at_majority", False)
        self.columns, self.rows = settings["columns"], settings["rows"]
        self.load(f"dots_and_boxes(num_rows={self.rows},num_cols={self.columns})")

    def name(self, action):
        """The text of an edge such as `a1h` or `a1v`."""
        horizontal = self.columns * (self.rows + 1)
        if action < horizontal:
            row, column = divmod(action, self.columns)
            return square(column, self.rows + 1 - row) + "h"
        row, column = divmod(action - horizontal, self.columns + 1)
        return square(column, self.rows - row) + "v"

    def actions_left(self, state):
        """One edge ends the turn, unless one can complete a box."""
        player = state.current_player()
        goes_on = [state.child(a).current_player() == player for a in state.legal_actions()]
        return 2 if any(goes_on) else 1


# ---- EinStein würfelt nicht! -------------------------------------------------------------------


class Einstein(Rules):
    """EinStein würfelt nicht! In OpenSpiel White, player 1, begins from the bottom right corner.

    So First is always player 1, and the board is turned round where First has red, the colour at
    the top left. Layouts are chance events there, and black's, which is Second's here, comes first.
    """

    first_player = 1
    HOME = (0, 1, 2, 5, 6, 10)  # at the top left of OpenSpiel's board, row by row
    STEPS = {"right": 1, "down": 5, "diag": 6, "left": 1, "up": 5}  # White's go backwards

    def __init__(self, variant):
        """The game in this variant."""
        settings = read_variant(variant, {"first_colour": "red", "layouts": []})
        require(settings, "first_colour", "red", "blue")
        self.turned = settings["first_colour"] == "red"
        self.colours = "RB" if self.turned else "BR"
        self.game = pyspiel.load_game("einstein_wurfelt_nicht")
        self.layouts = self.number_layouts()
        self.fixed = [f"{c}:{digits}" for c, digits in zip(self.colours, settings["layouts"])]
        self.after([])  # refuses wrong layouts

    def number_layouts(self):
        """OpenSpiel's number of every layout, whose digits are read row by row from the top; they
        are the same in both corners."""
        numbers = {}
        empty = self.game.new_initial_state()
        for action in empty.legal_actions():
            board = self.board(empty.child(action))
            numbers["".join(board[at][1] for at in self.HOME)] = action
        return numbers

    def board(self, state):
        """The 25 squares of OpenSpiel's board, such as `b4`, `w1` or `__`."""
        text = str(state).replace("\n", "")
        return [text[at + 1 : at + 3] for at in range(0, 100, 4)]

    def after(self, words):
        """The state after these layouts, rolls and steps; before the second layout an empty one."""
        words = self.fixed + words
        layouts = [self.read_layout(*pair) for pair in zip(self.colours, words)]
        state = self.game.new_initial_state()
        if len(layouts) == 2:
            state.apply_action(layouts[1])
            state.apply_action(layouts[0])
            self.play(state, words[2:])
        return state

    def read_layout(self, colour, word):
        """OpenSpiel's number of a layout such as `R:123456`."""
        digits = word[2:][::-1] if self.turned else word[2:]
        if word[:2].upper() != colour + ":" or digits not in self.layouts:
            raise Refusal(f"{word} is no layout of {colour}")
        return self.layouts[digits]

    def play(self, state, words):
        """Plays rolls and steps."""
        for word in words:
            names = {self.name(state, action).lower(): action for action in state.legal_actions()}
            if word.lower() not in names:
                raise Refusal(f"{word} is not legal")
            state.apply_action(names[word.lower()])

    def name(self, state, action):
        """A roll such as `d3`, or a step: piece and target."""
        if state.is_chance_node():
            return f"d{action + 1}"
        piece, step = state.action_to_string(action).rstrip("*").split("-")
        white = piece[0] == "W"
        target = self.board(state).index(piece.lower()) + (-1 if white else 1) * self.STEPS[step]
        target = 24 - target if self.turned else target
        colour = self.colours[0 if white else 1]
        return f"{colour}{piece[1]}-{square(target % 5, 5 - target // 5)}"

    def write(self, state, actions):
        """The text of a step."""
        return self.name(state, actions[0])

    def layout(self, words):
        """A random layout: OpenSpiel has no choice of one."""
        number = len(self.fixed + words)
        if number >= 2:
            return None
        return self.colours[number] + ":" + "".join(random.sample("123456", 6))

    def first_to_move(self, state, words):
        """A layout each, then a roll and a step in turn."""
        number = len(self.fixed + words)
        return number == 0 if number < 2 else number % 4 in (2, 3)


GAMES = {
    "amazons": Amazons,
    "dots-and-boxes": DotsAndBoxes,
    "einstein": Einstein,
    "gomoku": Gomoku,
    "hex": Hex,
    "tic-tac-toe": TicTacToe,
}

# ---- The search --------------------------------------------------------------------------------

UCT_C = 2.0
MEMORY_MB = 1000
UNLIMITED = 2**31 - 1  # more simulations than any time suffices for
FEWEST = 2  # OpenSpiel's search needs two to have a move


def rounds(end, simulations):
    """The searches for one turn, each of which begins anew: (end, simulations).

    OpenSpiel cannot be asked for its move during a search, but `stop` needs one at any time.
    So a search for a time follows a short one, and one without limits is ever longer ones.
    """
    now = time.monotonic()
    if end is not None:
        yield now + 0.05 * (end - now), UNLIMITED
        if time.monotonic() < end:
            yield end, simulations or UNLIMITED
    elif simulations is not None:
        yield None, simulations
    else:
        for doublings in range(20):
            yield time.monotonic() + 0.05 * 2**doublings, UNLIMITED


def choose(rules, state, end, simulations, tell):
    """Searches until a time of the monotonic clock or for some simulations; without both, forever.

    Tells `turn …`, the turn found so far, and `info …`.
    """
    began, nodes = time.monotonic(), 0
    for round_end, most in rounds(end, simulations):
        actions, score, more = choose_actions(rules, state, round_end, most)
        nodes += more
        text, spent = rules.write(state, actions), time.monotonic() - began
        tell(f"turn {text}")
        tell(f"info score cp {score} nodes {nodes} time {1000 * spent:.0f} pv {text}")


def choose_actions(rules, state, end, simulations):
    """The actions of a turn, each found by a search; the score, and the number of simulations."""
    player, after, actions, nodes, score = state.current_player(), state.clone(), [], 0, None
    while after.current_player() == player:
        left = rules.actions_left(after)
        seconds = -1 if end is None else max(1e-6, end - time.monotonic()) / left
        root = search(rules.game, after, seconds, (simulations - nodes) // left)
        if not root.children:  # no time left
            root = search(rules.game, after, -1, FEWEST)
        best = best_child(root, player)
        actions.append(best.action)
        nodes += root.explore_count
        if score is None:
            score = round(1000 * (best.outcome[player] if best.outcome else mean(root)))
        after.apply_action(best.action)
    return actions, score, nodes


def search(game, state, seconds, simulations):
    """The root of a tree of simulations; without a limit of time if that is negative."""
    bot = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(1, random.randrange(UNLIMITED)),
        UCT_C,
        max(FEWEST, simulations),
        MEMORY_MB,
        True,  # solve: remember proven wins and losses
        random.randrange(UNLIMITED),
        False,
        max_wall_clock_time=seconds,
    )
    return bot.mcts_search(state)


def best_child(root, player):
    """As OpenSpiel's function of this name, which copies the tree: that can take a second."""

    def worth(child):
        proven = child.outcome[player] if child.outcome else 0
        return proven, child.explore_count, child.total_reward

    return max(root.children, key=worth)


def mean(root):
    """The mean result of all simulations for the player: that of the best move alone would rest on
    few simulations where there are many moves."""
    return root.total_reward / root.explore_count


class Search:
    """A search in a process of its own, so that `stop` and `isready` are answered during it."""

    def __init__(self, turn, infinite, deadline, work):
        """Starts `work`, which is given a function to tell lines; the turn is for a search without
        a result, and the deadline for one that is late."""
        self.turn, self.infinite, self.deadline = turn, infinite, deadline
        self.text, self.over = b"", False
        self.pipe, far = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            try:
                work(lambda line: os.write(far, line.encode() + b"\n"))
            except Exception as error:  # the engine then plays the turn given
                print(f"open_spiel.py: the search failed: {error!r}", file=sys.stderr, flush=True)
            finally:
                os._exit(0)  # without freeing the tree, which takes long
        os.close(far)

    def hear(self):
        """Reads what the process tells, and passes reports on."""
        text = os.read(self.pipe, 65536)
        self.over = not text
        *lines, self.text = (self.text + text).split(b"\n")
        for line in lines:
            word, _, rest = line.decode().partition(" ")
            if word == "turn":
                self.turn = rest
            else:
                say(line.decode())

    def end(self):
        """Ends the process, and returns the turn that it found last."""
        while not self.over and select.select([self.pipe], [], [], 0)[0]:
            self.hear()
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.pipe)
        return self.turn


# ---- The protocol ------------------------------------------------------------------------------

OVERHEAD = 0.008  # a search ends this long before its time, s: the answer must arrive in it

# Default, smallest and largest values.
OPTIONS = {
    "simulations": (1000, FEWEST, UNLIMITED),  # where `go` has no limit that the engine knows
    "seed": (0, 0, UNLIMITED),  # 0 for another one every time
}


def say(line):
    """Writes a line and flushes it: a buffered line never reaches the referee."""
    print(line, flush=True)


class Session:
    """A conversation with a referee."""

    def __init__(self):
        """Before the first command."""
        self.options = {name: default for name, (default, _, _) in OPTIONS.items()}
        self.game, self.variant = "hex", ""
        self.rules = None  # those of `game` and `variant`, once they are needed
        self.state = None  # of OpenSpiel; None if there is no position, for the reason in `trouble`
        self.trouble = Refusal("no position")
        self.words = []  # the turns since the beginning
        self.search = None
        self.heard = 0.0  # when the last command arrived

    def run(self):
        """Reads commands until `quit` or the end of the input, and hears the search."""
        text = b""
        while True:
            searching = self.search is not None and not self.search.over
            pipes, seconds = [0], None
            if searching:
                pipes.append(self.search.pipe)
                if self.search.deadline is not None:
                    seconds = max(0, self.search.deadline - time.monotonic())
            ready = select.select(pipes, [], [], seconds)[0]
            if searching and self.search.pipe in ready:
                self.search.hear()
            if not ready or (searching and self.search.over and not self.search.infinite):
                self.stop([])
            if 0 in ready:
                self.heard = time.monotonic()
                more = os.read(0, 65536)
                *lines, text = (text + more).split(b"\n")
                words = [line.decode(errors="replace").split() for line in lines]
                if not more or not all(map(self.obey, words)):
                    return

    def obey(self, words):
        """Obeys a command. Whether to go on."""
        command = words[0].lower() if words else ""
        if command in ("ugi", "isready", "setoption", "position", "go", "stop", "query"):
            if command != "isready":
                self.stop([])  # no other command comes during a search
            try:
                getattr(self, command)(words[1:])
            except Refusal as refusal:
                self.complain(refusal)
        return command != "quit"

    def complain(self, refusal):
        """Tells the user why something does not work."""
        say("info string " + " ".join(str(refusal).split()))
        print(f"open_spiel.py: {refusal}", file=sys.stderr, flush=True)

    def ugi(self, words):
        """Introduces the engine."""
        say("id name OpenSpiel MCTS")
        say("id author OpenSpiel's authors")
        games = " ".join(f"var {game}" for game in GAMES)
        say(f"option name Game type combo default hex {games}")
        say("option name Variant type string default")
        for name, (default, least, most) in OPTIONS.items():
            say(f"option name {name} type spin default {default} min {least} max {most}")
        say("ugiok")

    def setoption(self, words):
        """`name N value V`."""
        at = words.index("value") if "value" in words else len(words)
        name, value = " ".join(words[1:at]).lower(), " ".join(words[at + 1 :])
        if name in ("game", "variant"):
            setattr(self, name, value)
            self.rules, self.state, self.trouble = None, None, Refusal("no position")
        elif name in OPTIONS:
            _, least, most = OPTIONS[name]
            if not (value.isdecimal() and least <= int(value) <= most):
                raise Refusal(f"{name}: {value}, expected {least} to {most}")
            self.options[name] = int(value)
        else:
            raise Refusal(f"no option {name!r}")

    def prepare(self):
        """Loads the game if that is still to do."""
        if self.rules is not None:
            return
        if self.game.lower() not in GAMES:
            raise Refusal(f"no game {self.game!r}, only {', '.join(GAMES)}")
        try:
            self.rules = GAMES[self.game.lower()](dict(json.loads(self.variant or "{}")))
        except (ArithmeticError, TypeError, ValueError) as error:
            raise Refusal(f"variant: cannot read {self.variant}: {error}") from None

    def isready(self, words):
        """Answers when the game is loaded."""
        try:
            self.prepare()
        finally:
            say("readyok")

    def position(self, words):
        """`startpos` or `fen …`, then perhaps `moves …`."""
        at = words.index("moves") if "moves" in words else len(words)
        self.state, self.words = None, words[at + 1 :]
        try:
            self.prepare()
            if words[:1] == ["fen"]:
                state = self.rules.from_fen(words[1:at])
                self.rules.play(state, self.words)
            else:
                state = self.rules.after(self.words)
            self.state = state
        except Refusal as refusal:
            self.trouble = refusal  # `go` tells

    def go(self, words):
        """Begins a search; where there is nothing to search, one that knows its turn."""
        random.seed(self.options["seed"] or None)
        numbers = {name: int(n) for name, n in zip(words, words[1:]) if n.isdecimal()}
        infinite = "infinite" in words
        end, simulations = (None, None) if infinite else self.limits(numbers)
        turn = self.known_turn()

        def work(tell):
            if turn is None:
                choose(self.rules, self.state, end, simulations, tell)

        deadline = None if end is None else end + OVERHEAD / 2
        self.search = Search(turn or self.random_turn(), infinite, deadline, work)

    def known_turn(self):
        """The turn in a position that needs no search, or None."""
        if self.state is None:
            self.complain(self.trouble)
            return "resign" if isinstance(self.trouble, NoPosition) else "none"
        if self.state.is_player_node():
            return None
        return self.rules.layout(self.words) or "none"

    def random_turn(self):
        """Any legal turn, for a search that is stopped before it finds one."""
        state, actions = self.state.clone(), []
        while state.current_player() == self.state.current_player():
            actions.append(random.choice(state.legal_actions()))
            state.apply_action(actions[-1])
        return self.rules.write(self.state, actions)

    def limits(self, numbers):
        """The end of the search, or None, and its number of simulations, or None."""
        seconds = self.seconds(numbers)
        if seconds is None:
            return None, numbers.get("nodes", self.options["simulations"])
        return self.heard + seconds - OVERHEAD, numbers.get("nodes")

    def seconds(self, numbers):
        """The time for a turn, or None without a clock: that of a turn, a share of the game's, or the
        smaller of both."""
        of_turn = numbers["movetime"] / 1000 if "movetime" in numbers else None
        first = self.state is None or self.rules.first_to_move(self.state, self.words)
        side = "p1" if first else "p2"
        if side + "time" not in numbers:
            return of_turn
        left, byoyomi = numbers[side + "time"], numbers.get("byoyomi", 0)
        share = left / max(1, min(25, numbers.get("movestogo", 25))) + numbers.get(side + "inc", 0)
        of_game = (min(max(share, 20), left / 2) + byoyomi) / 1000
        return of_game if of_turn is None else min(of_turn, of_game)

    def stop(self, words):
        """Ends the search, if there is one, and answers."""
        if self.search is not None:
            say(f"bestmove {self.search.end()}")
            self.search = None

    def query(self, words):
        """`gameover`, `p1turn` or `result`."""
        if self.state is None:
            raise self.trouble
        answers = {
            "gameover": str(self.state.is_terminal()).lower(),
            "p1turn": str(self.rules.first_to_move(self.state, self.words)).lower(),
        }
        if self.state.is_terminal():
            value = self.state.returns()[self.rules.first_player]
            answers["result"] = "p1win" if value > 0 else "p2win" if value < 0 else "draw"
        say("response " + answers.get(" ".join(words).lower(), "none"))


def main():
    """Speaks UGI."""
    if len(sys.argv) > 1:
        print(__doc__)
        sys.exit(0 if sys.argv[1] in ("-h", "--help") else 2)
    session = Session()
    try:
        session.run()
    finally:
        if session.search is not None:
            session.search.end()


if __name__ == "__main__":
    main()
