"""Checks the rules against a slow search, the folded network against the trained one, and a
training of some seconds from its start to a file."""

import os
import random
import subprocess
import sys
import tempfile
import unittest

import jax
import jax.numpy as jnp
import numpy as np

import board as rules
import net

STEPS = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)]


def connects(stones, size, side):
    """Whether a side joins its edges, 0 the top and the bottom, 1 the left and the right."""
    first = [(0, i) if side == 0 else (i, 0) for i in range(size)]
    reached = [cell for cell in first if stones.get(cell) == side]
    for row, column in reached:
        if (column if side else row) == size - 1:
            return True
        for step in STEPS:
            cell = (row + step[0], column + step[1])
            if stones.get(cell) == side and cell not in reached:
                reached.append(cell)
    return False


class Rules(unittest.TestCase):
    def test_games_end_when_a_side_connects(self):
        play, legal = jax.jit(rules.play), jax.jit(rules.legal)
        dice = random.Random(1)
        for size in [2, 3, 5, 8, 11]:
            for _ in range(4):
                self.play_game(size, play, legal, dice)

    def play_game(self, size, play, legal, dice):
        board, stones, side = rules.empty(size), {}, 0
        while True:
            cells = [(r, c) for r in range(size) for c in range(size) if (r, c) not in stones]
            cell = dice.choice(cells)
            stones[cell] = side
            row, column = cell if side == 0 else cell[::-1]
            may = np.asarray(legal(board)).reshape(rules.SIDE, rules.SIDE)
            self.assertEqual(may.sum(), len(cells))
            self.assertTrue(may[row, column])
            board = play(board, jnp.int32(row * rules.SIDE + column))
            self.assertEqual(bool(board.over), connects(stones, size, side))
            if board.over:
                return
            side ^= 1

    def test_openings_have_the_sizes_and_stones_that_were_asked_for(self):
        chances = np.zeros(rules.SIDE + 1)
        chances[[4, 11]] = 0.5
        keys = jax.random.split(jax.random.key(3), 100)
        boards = jax.vmap(rules.opening, (0, None))(keys, jnp.asarray(chances))
        inner = boards.content.reshape(-1, rules.WIDTH, rules.WIDTH)[:, 1:-1, 1:-1]
        stones = ((inner == rules.OWN) | (inner == rules.OTHER)).sum((1, 2))
        self.assertEqual(set(boards.size.tolist()), {4, 11})
        # On a smaller board, some of the inner cells stand for its edges.
        counts = stones[boards.size == 11]
        self.assertEqual((int(counts.min()), int(counts.max())), (1, 10))
        self.assertGreater(int((counts == 1).sum()), 10)


class Network(unittest.TestCase):
    def test_a_small_board_is_seen_as_if_it_had_its_own_arrays(self):
        weights = net.folded(*net.new(jax.random.key(1), 8, 2, 8))
        board = jax.tree.map(lambda x: x[None], rules.empty(5))
        garbage = board.content.reshape(1, rules.WIDTH, rules.WIDTH).at[:, 7:, :].set(rules.OWN)
        garbage = garbage.at[:, :, 7:].set(rules.OTHER).reshape(1, -1)
        one = net.forward(weights, board.content, board.size)
        other = net.forward(weights, garbage, board.size)
        cells = np.arange(rules.CELLS).reshape(rules.SIDE, rules.SIDE)[:5, :5]
        np.testing.assert_allclose(one[0][:, cells], other[0][:, cells], atol=1e-5)
        np.testing.assert_allclose(one[1], other[1], atol=1e-5)

    def test_folded_weights_compute_the_same(self):
        weights, _ = net.new(jax.random.key(2), 8, 2, 8)
        chances = jnp.zeros(rules.SIDE + 1).at[11].set(1.0)
        keys = jax.random.split(jax.random.key(4), 16)
        boards = jax.vmap(rules.opening, (0, None))(keys, chances)
        arguments = boards.content, boards.size
        logits, value, statistics = net.trained(weights, *arguments, jnp.float32)
        folded = net.forward(net.folded(weights, statistics), *arguments)
        np.testing.assert_allclose(logits, folded[0], atol=1e-3)
        np.testing.assert_allclose(value, folded[1], atol=1e-3)


class Training(unittest.TestCase):
    def test_a_short_training_writes_a_network(self):
        with tempfile.TemporaryDirectory() as folder:
            small = "--games 8 --plies 4 --memory 32 --simulations 4 --steps 2 --batch 32"
            sizes = "--channels 8 --blocks 1 --policy 8"
            words = ["train.py", folder, "--seconds", "1", *small.split(), *sizes.split()]
            subprocess.run([sys.executable, *words], check=True)
            again = ["--resume", os.path.join(folder, "state.npz"), "--elapsed", "1", "--total", "2"]
            subprocess.run([sys.executable, *words, *again], check=True)
            with open(os.path.join(folder, "network"), "rb") as file:
                self.assertTrue(file.read().startswith(b"network of a game engine"))
            keep = os.environ.get("KEEP_NETWORK")
            if keep:
                os.replace(os.path.join(folder, "network"), keep)


if __name__ == "__main__":
    unittest.main()
