"""Files of networks, as `entry/src/networks.rs` reads them."""

import hashlib
import os

import jax
import numpy as np

FIRST_LINE = b"network of a game engine, version 1\n"
GAME = "hex"
VIEW = "stones-1"


def number(value):
    """A number in postcard's encoding: seven bits a byte, the lowest first."""
    encoded = b""
    while value >= 128:
        encoded += bytes([value & 127 | 128])
        value >>= 7
    return encoded + bytes([value])


def text(value):
    """A text in postcard's encoding."""
    encoded = value.encode()
    return number(len(encoded)) + encoded


def write(path, weights, origin):
    """Writes folded weights in half precision; an older file stays until the new one is whole."""
    layers = weights["layers"]
    sizes = [
        layers[0]["taps"].shape[2],
        layers[0]["taps"].shape[3],
        (len(layers) - 2) // 2,
        layers[-1]["taps"].shape[3],
    ]
    # By layer the bias, then the taps; the logits; the value.
    leaves = [np.asarray(leaf).reshape(-1) for leaf in jax.tree.leaves(weights)]
    data = np.concatenate(leaves).astype("<f2").tobytes()
    head = text(GAME) + text(VIEW) + text(origin) + b"".join(map(number, sizes))
    body = FIRST_LINE + head + number(len(data)) + data
    with open(path + ".part", "wb") as file:
        file.write(body + hashlib.sha256(body).digest())
    os.replace(path + ".part", path)
