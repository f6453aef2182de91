"""The network: residual hex convolutions, a logit for each cell and the logit of a win.

A hex convolution sees a cell and its six neighbours. While the network is trained, its layers
are normalized by the batch; `folded` makes this a part of the weights.
"""

import jax
import jax.numpy as jnp

from board import BOTH, OTHER, OWN, SIDE, WIDTH

HIDDEN = 64
"""Units of the value's hidden layer."""
TAPS = jnp.array([[0, 1, 1], [1, 1, 1], [1, 1, 0]], jnp.float32)[:, :, None, None]
EPSILON = 1e-3


def planes(content):
    """float[…, WIDTH, WIDTH, 2] of int8[…, WIDTH * WIDTH]: the stones and edges of both sides."""
    square = content.reshape(*content.shape[:-1], WIDTH, WIDTH)
    own = (square == OWN) | (square == BOTH)
    other = (square == OTHER) | (square == BOTH)
    return jnp.stack([own, other], axis=-1)


def on_board(size):
    """float[…, SIDE, SIDE, 1] of int[…]: 1 on the cells of the board."""
    at = jnp.arange(SIDE)
    inside = at < size[..., None]
    return (inside[..., :, None] & inside[..., None, :])[..., None].astype(jnp.float32)


def new(key, channels, blocks, policy_channels):
    """Weights before training, and the statistics of the normalized layers."""
    keys = iter(jax.random.split(key, 2 * blocks + 8))

    def layer(inputs, outputs, scale=1.0):
        spread = (2 / (7 * inputs)) ** 0.5
        return {
            "taps": spread * jax.random.normal(next(keys), (3, 3, inputs, outputs)),
            "scale": jnp.full((outputs,), scale, jnp.float32),
            "shift": jnp.zeros((outputs,)),
        }

    dense = lambda rows, columns: (2 / rows) ** 0.5 * jax.random.normal(next(keys), (rows, columns))
    layers = [layer(2, channels)]
    for _ in range(blocks):
        layers += [layer(channels, channels), layer(channels, channels, 0.3)]
    layers.append(layer(channels, policy_channels))
    weights = {
        "layers": layers,
        "policy": 0.1 * dense(policy_channels, 1),
        "value": [
            (dense(2 * channels, HIDDEN), jnp.zeros((HIDDEN,))),
            (0.1 * dense(HIDDEN, 1), jnp.zeros((1,))),
        ],
    }
    sizes = [layer["shift"].shape for layer in layers]
    return weights, [(jnp.zeros(size), jnp.ones(size)) for size in sizes]


def convolve(cells, taps, padding="SAME"):
    """A hex convolution."""
    taps = (taps * TAPS).astype(cells.dtype)
    return jax.lax.conv_general_dilated(
        cells, taps, (1, 1), padding, dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


def trunk_and_heads(weights, content, size, layer, dtype):
    """Logits of the cells and of a win; `layer(number, cells, padding)` computes a layer."""
    mask = on_board(size)
    active = lambda cells: jax.nn.relu(cells) * mask.astype(cells.dtype)
    cells = active(layer(0, planes(content).astype(dtype), "VALID"))
    last = len(weights["layers"]) - 1
    for first in range(1, last, 2):
        inner = active(layer(first, cells, "SAME"))
        cells = active(cells + layer(first + 1, inner, "SAME"))
    policy = active(layer(last, cells, "SAME")).astype(jnp.float32) @ weights["policy"]
    cells = cells.astype(jnp.float32)
    mean = cells.sum((1, 2)) / mask.sum((1, 2)).clip(1)
    value = jnp.concatenate([mean, cells.max((1, 2))], axis=-1)
    (first, first_bias), (second, second_bias) = weights["value"]
    value = jax.nn.relu(value @ first + first_bias) @ second + second_bias
    return policy.reshape(policy.shape[0], SIDE * SIDE), value[:, 0]


def trained(weights, content, size, dtype):
    """As `forward`, normalized by the batch; returns the batch's statistics, too."""
    statistics = []
    mask = on_board(size)
    count = mask.sum().clip(1)

    def layer(number, cells, padding):
        part = weights["layers"][number]
        out = convolve(cells, part["taps"], padding).astype(jnp.float32)
        mean = (out * mask).sum((0, 1, 2)) / count
        spread = (((out - mean) ** 2) * mask).sum((0, 1, 2)) / count
        statistics.append((mean, spread))
        out = (out - mean) * (part["scale"] * jax.lax.rsqrt(spread + EPSILON)) + part["shift"]
        return out.astype(dtype)

    logits, value = trunk_and_heads(weights, content, size, layer, dtype)
    return logits, value, statistics


def folded(weights, statistics):
    """The weights with the normalization in them: `layers` hold taps and a bias."""

    def fold(part, known):
        mean, spread = known
        factor = part["scale"] * jax.lax.rsqrt(spread + EPSILON)
        return {"taps": part["taps"] * TAPS * factor, "bias": part["shift"] - mean * factor}

    layers = [fold(part, known) for part, known in zip(weights["layers"], statistics)]
    return {**weights, "layers": layers}


def forward(weights, content, size, dtype=jnp.float32):
    """Logits of the cells and of a win for the side to move, by folded weights."""

    def layer(number, cells, padding):
        part = weights["layers"][number]
        return convolve(cells, part["taps"], padding) + part["bias"].astype(dtype)

    return trunk_and_heads(weights, content, size, layer, dtype)
