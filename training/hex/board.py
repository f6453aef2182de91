"""The rules of Hex on arrays, for many boards at once.

A board is seen by the side to move: its own edges are the top and the bottom. After a move the
board is mirrored in its main diagonal and the colours are exchanged, so the other side sees the
same. Boards smaller than SIDE lie in the corner at the top left.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp

SIDE = 11
CELLS = SIDE * SIDE
WIDTH = SIDE + 2
"""A ring of cells around the board stands for the edges."""

EMPTY, OWN, OTHER, BOTH = 0, 1, 2, 3
NEIGHBOURS = jnp.array([-WIDTH, -WIDTH + 1, -1, 1, WIDTH - 1, WIDTH])
EDGES = 200
"""The groups of the edges are numbered from here; a group of stones has the number of a cell."""
NO_GROUP = -1


class Board(NamedTuple):
    """A position: without a leading dimension one board, with one a batch."""

    content: jax.Array
    """int8[WIDTH * WIDTH]: EMPTY, OWN, OTHER, or BOTH for corners and cells outside."""
    group: jax.Array
    """int16[WIDTH * WIDTH]: the group of each stone and edge, by the number of a cell as its own side
    sees it, so only groups of one side have different numbers."""
    size: jax.Array
    """int8: the number of rows."""
    over: jax.Array
    """bool: whether the side that is not to move has won."""


def empty(size):
    """A board of `size` rows without stones."""
    row, column = jnp.divmod(jnp.arange(WIDTH * WIDTH), WIDTH)
    inside = lambda at: (at >= 1) & (at <= size)
    group = jnp.select(
        [
            inside(column) & (row == 0),
            inside(column) & (row == size + 1),
            inside(row) & (column == 0),
            inside(row) & (column == size + 1),
        ],
        [EDGES, EDGES + 1, EDGES + 2, EDGES + 3],
        NO_GROUP,
    )
    content = jnp.select(
        [group >= EDGES + 2, group >= EDGES, inside(row) & inside(column)],
        [OTHER, OWN, EMPTY],
        BOTH,
    )
    return Board(
        content.astype(jnp.int8),
        group.astype(jnp.int16),
        jnp.asarray(size, jnp.int8),
        jnp.asarray(False),
    )


def legal(board):
    """bool[CELLS]: the cells that are empty."""
    square = board.content.reshape(WIDTH, WIDTH)
    return (square[1:-1, 1:-1] == EMPTY).reshape(CELLS)


def play(board, cell):
    """The board after a stone on `cell`, seen by the other side; a game that is over stays."""
    place = (cell // SIDE + 1) * WIDTH + cell % SIDE + 1
    around = place + NEIGHBOURS
    groups = jnp.where(board.content[around] == OWN, board.group[around], EDGES + 4)
    joined = (board.content == OWN) & (board.group[:, None] == groups[None, :]).any(axis=1)
    here = jnp.arange(WIDTH * WIDTH) == place
    group = jnp.where(joined | here, place.astype(jnp.int16), board.group)
    content = jnp.where(here, OWN, board.content)
    bottom = (board.size.astype(jnp.int32) + 1) * WIDTH + 1
    over = group[1] == group[bottom]
    exchanged = jnp.array([EMPTY, OTHER, OWN, BOTH], jnp.int8)[content]
    mirrored = lambda cells: cells.reshape(WIDTH, WIDTH).T.reshape(-1)
    after = Board(mirrored(exchanged), mirrored(group), board.size, over)
    return jax.tree.map(lambda old, new: jnp.where(board.over, old, new), board, after)


def opening(key, chances, most=10):
    """A board whose size is drawn by `chances` (float[SIDE + 1]), after random stones: one in six of
    ten games, otherwise 2 to `most`, but on at most a sixth of the cells."""
    of_size, of_stones, of_cells, of_kind = jax.random.split(key, 4)
    size = jax.random.choice(of_size, SIDE + 1, p=chances)
    board = empty(size)
    stones = jax.random.randint(of_stones, (), 2, most + 1)
    stones = jnp.where(jax.random.uniform(of_kind) < 0.6, 1, jnp.minimum(stones, size * size // 6))
    order = jnp.argsort(jax.random.uniform(of_cells, (CELLS,)) + ~legal(board))

    def place(at, before):
        after = play(before, order[at])
        return jax.tree.map(lambda old, new: jnp.where(at < stones, new, old), before, after)

    after = jax.lax.fori_loop(0, most, place, board)
    return jax.tree.map(lambda old, new: jnp.where(after.over, old, new), board, after)
