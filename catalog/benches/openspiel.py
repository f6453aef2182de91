"""Random playouts per second of OpenSpiel, for comparison with `cargo bench -p catalog`.

    pip install open_spiel
    python3 catalog/benches/openspiel.py

The playouts run in OpenSpiel's C++ code: one simulation of its MCTS bot, whose rollout evaluator
plays N games from the first position. The best of five runs is printed.
"""

import time

import pyspiel

GAMES = [
    ("amazons", "amazons"),
    ("gomoku", "gomoku(size=15)"),
    ("hex", "hex(board_size=11)"),
    ("dots-and-boxes", "dots_and_boxes(num_rows=5,num_cols=5)"),
    ("einstein", "einstein_wurfelt_nicht"),
]
PLAYOUTS = 4000


def playouts_per_second(game, count):
    """One measurement; the dice before the first decision are fixed."""
    evaluator = pyspiel.RandomRolloutEvaluator(count, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 100, True, 1, False)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    begin = time.perf_counter()
    bot.step(state)
    return count / (time.perf_counter() - begin)


for ours, theirs in GAMES:
    game = pyspiel.load_game(theirs)
    best = max(playouts_per_second(game, PLAYOUTS) for _ in range(5))
    print(f"{ours:<16} {best:12.0f}", flush=True)
