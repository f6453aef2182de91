"""Trains a network for Hex by games against itself.

The method is Gumbel AlphaZero: a search of a few simulations chooses each move and improves the
policy (Danihelka and others, Policy improvement by planning with Gumbel, 2022). All games are played
on the accelerator at the same time, on boards of several sizes, from random first stones.

example:
  python train.py out --seconds 600                           # a graphics card of 2023
  python train.py out --seconds 600 --games 64 --steps 8 --batch 256 --channels 8 --blocks 2   # a processor
"""

import argparse
import os
import time
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import mctx
import numpy as np
import optax

import board as rules
import net
import network_file

RESIGN = -0.97
"""A side gives up at this value of its search, in most games."""


class Games(NamedTuple):
    """The games that are played at the same time."""

    board: rules.Board
    stubborn: jax.Array
    """bool: whether the sides play on to the end."""


class Moves(NamedTuple):
    """Positions of games, ply by ply: [plies, games, …]."""

    content: jax.Array
    size: jax.Array
    """0 for none."""
    target: jax.Array
    """float16: the improved policy."""
    search: jax.Array
    """The value by the search, -1 to 1."""
    end: jax.Array
    """int8: 1 if the move won, -1 if the side to move gave up, else 0."""


def start(key, chances):
    """A new game."""
    of_board, of_will = jax.random.split(key)
    return Games(rules.opening(of_board, chances), jax.random.uniform(of_will) < 0.15)


def look(weights, board):
    """Logits of the legal cells and the value of boards, -1 to 1."""
    logits, value = net.forward(weights, board.content, board.size, jnp.bfloat16)
    logits = jnp.where(jax.vmap(rules.legal)(board), logits, -1e9)
    return logits, jnp.tanh(value / 2)


def after(weights, key, cells, boards):
    """A move of the search."""
    del key
    next_boards = jax.vmap(rules.play)(boards, cells)
    logits, value = look(weights, next_boards)
    won = next_boards.over & ~boards.over
    output = mctx.RecurrentFnOutput(
        reward=won.astype(jnp.float32),
        discount=jnp.where(next_boards.over, 0.0, -1.0),
        prior_logits=logits,
        value=jnp.where(next_boards.over, 0.0, value),
    )
    return output, next_boards


@partial(jax.jit, static_argnames=("plies", "simulations"), donate_argnums=(1,))
def play(weights, games, key, chances, plies, simulations):
    """Plays on, and begins a new game for each that ends."""

    def ply(games, key):
        of_search, of_start = jax.random.split(key)
        board = games.board
        logits, value = look(weights, board)
        found = mctx.gumbel_muzero_policy(
            weights,
            of_search,
            mctx.RootFnOutput(prior_logits=logits, value=value, embedding=board),
            after,
            num_simulations=simulations,
            invalid_actions=~jax.vmap(rules.legal)(board),
            max_num_considered_actions=16,
        )
        root = found.search_tree.summary().value
        gives_up = (root < RESIGN) & ~games.stubborn
        next_board = jax.vmap(rules.play)(board, found.action)
        end = jnp.where(gives_up, -1, next_board.over.astype(jnp.int8)).astype(jnp.int8)
        moves = Moves(
            board.content, board.size, found.action_weights.astype(jnp.float16), root, end
        )
        count = end.shape[0]
        fresh = jax.vmap(start, (0, None))(jax.random.split(of_start, count), chances)
        ended = lambda new, old: jnp.where((end != 0).reshape(count, *[1] * (old.ndim - 1)), new, old)
        return jax.tree.map(ended, fresh, Games(next_board, games.stubborn)), moves

    return jax.lax.scan(ply, games, jax.random.split(key, plies))


def results(moves):
    """The result of each position's game for its side to move, and whether it is known."""

    def back(later, at):
        end, size = at
        result = jnp.where(end != 0, end, -later[0]).astype(jnp.int8)
        known = ((end != 0) | later[1]) & (size > 0)
        return (result, known), (result, known)

    none = (jnp.zeros_like(moves.end[0]), jnp.zeros_like(moves.end[0], bool))
    return jax.lax.scan(back, none, (moves.end, moves.size), reverse=True)[1]


def turned(content, target, size):
    """The positions turned by half a turn."""
    row, column = jnp.divmod(jnp.arange(rules.WIDTH**2), rules.WIDTH)
    far = size[:, None].astype(jnp.int32) + 1
    inside = (row <= far) & (column <= far)
    places = jnp.where(inside, (far - row) * rules.WIDTH + far - column, row * rules.WIDTH + column)
    row, column = jnp.divmod(jnp.arange(rules.CELLS), rules.SIDE)
    far = far - 2
    inside = (row <= far) & (column <= far)
    cells = jnp.where(inside, (far - row) * rules.SIDE + far - column, row * rules.SIDE + column)
    return jnp.take_along_axis(content, places, 1), jnp.take_along_axis(target, cells, 1)


def loss(weights, content, size, target, value, known):
    """Cross entropy of the policy and of the result."""
    logits, win, statistics = net.trained(weights, content, size, jnp.bfloat16)
    inner = content.reshape(-1, rules.WIDTH, rules.WIDTH)[:, 1:-1, 1:-1].reshape(logits.shape)
    logits = jnp.where(inner == rules.EMPTY, logits, -1e9)
    mean = lambda each: (each * known).sum() / known.sum().clip(1)
    policy = mean(optax.softmax_cross_entropy(logits, target))
    result = mean(optax.sigmoid_binary_cross_entropy(win, (value + 1) / 2))
    return policy + result, (statistics, policy, result)


class State(NamedTuple):
    """What training changes."""

    weights: dict
    statistics: list
    steady: dict
    """The running mean of the weights, which plays."""
    optimizer: tuple


OPTIMIZER = optax.chain(
    optax.clip_by_global_norm(1.0),
    optax.scale_by_adam(b2=0.99),
    optax.add_decayed_weights(1e-4),
)


@partial(jax.jit, static_argnames=("steps", "batch"), donate_argnums=(0,))
def train(state, moves, key, rate, keep, steps, batch):
    """Some steps on random positions."""
    result, known = results(moves)
    value = 0.75 * result + 0.25 * moves.search
    flat = lambda each: each.reshape(-1, *each.shape[2:])
    content, size, target = flat(moves.content), flat(moves.size), flat(moves.target)
    value, known = flat(value), flat(known)

    def step(state, key):
        of_places, of_turns = jax.random.split(key)
        places = jax.random.randint(of_places, (batch,), 0, known.shape[0])
        some = [each[places] for each in (content, target, size)]
        other = turned(*some)
        turns = jax.random.bernoulli(of_turns, 0.5, (batch, 1))
        seen, wanted = [jnp.where(turns, new, old) for new, old in zip(other, some)]
        gradient, (statistics, policy, win) = jax.grad(loss, has_aux=True)(
            state.weights, seen, some[2], wanted.astype(jnp.float32), value[places], known[places]
        )
        change, optimizer = OPTIMIZER.update(gradient, state.optimizer, state.weights)
        weights = jax.tree.map(lambda old, by: old - rate * by, state.weights, change)
        blend = lambda share: lambda old, new: share * old + (1 - share) * new
        return State(
            weights,
            jax.tree.map(blend(0.98), state.statistics, statistics),
            jax.tree.map(blend(keep), state.steady, weights),
            optimizer,
        ), (policy, win)

    state, losses = jax.lax.scan(step, state, jax.random.split(key, steps))
    return state, jax.tree.map(jnp.mean, losses), known.mean()


@partial(jax.jit, donate_argnums=(0,))
def push(moves, new):
    """The moves with the new ones at the end, without as many at the beginning."""
    shift = lambda old, new: jnp.concatenate([old[new.shape[0] :], new])
    return jax.tree.map(shift, moves, new)


SHARES = [(0.06, [0, 0, 0, 0, 1, 2, 2, 2]), (0.15, [0, 0, 0, 0, 0, 1, 1, 2, 3, 3])]
"""Until this share of the time, how often each size is played: small boards teach first."""
LATER = [0, 0, 0, 0, 0, 1, 1, 2, 2, 4, 3, 37]


def chances(share):
    """The chances of board sizes after this share of the time; those that are too large count as
    the largest."""
    often = next((often for until, often in SHARES if share < until), LATER)
    weights = np.zeros(rules.SIDE + 1)
    for size, weight in enumerate(often):
        weights[min(size, rules.SIDE)] += weight
    return jnp.asarray(weights / weights.sum())


def save(folder, state, origin):
    """Writes the network that plays, and all that is needed to go on."""
    playing = jax.tree.map(np.asarray, net.folded(state.steady, state.statistics))
    network_file.write(os.path.join(folder, "network"), playing, origin)
    leaves = {str(number): leaf for number, leaf in enumerate(jax.tree.leaves(state))}
    np.savez(os.path.join(folder, "state.npz"), **leaves)


def load(path, state):
    """The state that `save` wrote, in the place of one of the same shape."""
    known = np.load(path)
    leaves = [jnp.asarray(known[str(number)]) for number in range(len(known.files))]
    return jax.tree.unflatten(jax.tree.structure(state), leaves)


def arguments():
    read = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    read.add_argument("out", help="folder for the network and the state")
    read.add_argument("--seconds", type=float, default=3600, help="length of this run")
    read.add_argument("--elapsed", type=float, default=0, help="seconds of the runs before it")
    read.add_argument("--total", type=float, help="seconds of all runs")
    read.add_argument("--resume", help="the state to go on from")
    read.add_argument("--games", type=int, default=8192, help="played at the same time")
    read.add_argument("--plies", type=int, default=16, help="played between two trainings")
    read.add_argument("--memory", type=int, default=256, help="plies of all games in memory")
    read.add_argument("--simulations", type=int, default=32, help="of the search for a move")
    read.add_argument("--steps", type=int, default=160, help="of one training")
    read.add_argument("--batch", type=int, default=4096, help="positions of a step")
    read.add_argument("--rate", type=float, default=2e-3, help="the highest learning rate")
    read.add_argument("--channels", type=int, default=32)
    read.add_argument("--blocks", type=int, default=6)
    read.add_argument("--policy", type=int, default=32, help="channels before the logits")
    read.add_argument("--seed", type=int, default=1)
    return read.parse_args()


def rate(given, share, round_number):
    """The learning rate: it rises in eight rounds, and falls like a cosine to 3 % of the highest."""
    falling = 0.03 + 0.97 * 0.5 * (1 + np.cos(np.pi * share))
    return jnp.float32(given.rate * falling * min(1, round_number / 8))


def no_moves(plies, games):
    """An empty memory."""
    shape = (plies, games)
    return Moves(
        jnp.zeros((*shape, rules.WIDTH**2), jnp.int8),
        jnp.zeros(shape, jnp.int8),
        jnp.zeros((*shape, rules.CELLS), jnp.float16),
        jnp.zeros(shape, jnp.float32),
        jnp.zeros(shape, jnp.int8),
    )


def report(seconds, number, new, losses, known, spent):
    """A line on a round."""
    plies = 1 / max(float((new.end != 0).mean()), 1e-9)
    policy, win = losses
    print(
        f"{seconds:6.0f} s, round {number}: {plies:5.1f} plies a game, loss of the policy "
        f"{float(policy):.3f} and of the result {float(win):.4f}, {float(known):.0%} of the memory "
        f"known; played {spent[0]:.2f} s, trained {spent[1]:.2f} s",
        flush=True,
    )


def main():
    given = arguments()
    os.makedirs(given.out, exist_ok=True)
    begun = saved = time.time()
    key = jax.random.key(given.seed)
    weights, statistics = net.new(key, given.channels, given.blocks, given.policy)
    state = jax.tree.map(jnp.copy, State(weights, statistics, weights, OPTIMIZER.init(weights)))
    if given.resume:
        state = load(given.resume, state)
    games = jax.vmap(start, (0, None))(jax.random.split(key, given.games), chances(0.0))
    moves = no_moves(given.memory, given.games)
    fold = jax.jit(net.folded)
    round_number = 0
    origin = "training/hex/train.py"
    while (now := time.time()) - begun < given.seconds:
        round_number += 1
        share = min(1, (given.elapsed + now - begun) / (given.total or given.seconds))
        key, of_play, of_train = jax.random.split(key, 3)
        playing = fold(state.steady, state.statistics)
        games, new = play(playing, games, of_play, chances(share), given.plies, given.simulations)
        moves = push(moves, new)
        new.end.block_until_ready()
        middle = time.time()
        keep = jnp.float32(0.5 if round_number <= 4 else 0.99)
        pace = rate(given, share, round_number)
        state, losses, known = train(state, moves, of_train, pace, keep, given.steps, given.batch)
        known.block_until_ready()
        if round_number <= 4 or round_number % 8 == 0:
            spent = [middle - now, time.time() - middle]
            report(time.time() - begun, round_number, new, losses, known, spent)
        if time.time() - saved > 60:
            save(given.out, state, origin)
            saved = time.time()
    save(given.out, state, origin)


if __name__ == "__main__":
    main()
