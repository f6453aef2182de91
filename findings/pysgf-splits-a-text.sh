#!/usr/bin/env bash
# pysgf 1.0.0 (PyPI): a comment in which an escaped `]` stands before a `[` becomes two values, and is
# saved as two, which sgfmill refuses. FF[4] escapes `]` as `\]` within a text, so `C[see \][x\] here]` is one value,
# `see ][x] here`; sgfmill 1.1.1 and sgf 0.5 read it so. pysgf finds the value with its escapes first and
# splits it at `][` afterwards, where an escape no longer counts.
#
# Seen on 2026-11-27 with Python 3.11:
#   sgfmill: see ][x] here
#   sgf: see ][x] here
#   pysgf: ['see \\', 'x] here']
#   saved by pysgf, read by sgfmill: ValueError: multiple values
# Needs python3 with venv, and PyPI. Ends with 1 if that has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pysgf==1.0.0 sgfmill==1.1.1 sgf==0.5
cat >"$folder/try.py" <<'EOF'
import pysgf
import sgf
from sgfmill.sgf import Sgf_game

text = r"(;FF[4]GM[1]SZ[9]C[see \][x\] here];B[aa])"
comment = lambda text: Sgf_game.from_string(text).get_root().get("C")
print("sgfmill:", comment(text))
print("sgf:", sgf.parse(text).children[0].nodes[0].properties["C"][0])
root = pysgf.GoGame.parse_sgf(text)
print("pysgf:", root.properties["C"])
try:
    print("saved by pysgf, read by sgfmill:", comment(root.sgf()))
except ValueError as error:
    print("saved by pysgf, read by sgfmill: ValueError:", error)
EOF
found=$("$folder/venv/bin/python" "$folder/try.py")
echo "$found"
expected=$(sed -n 's/^#   //p' "$0")
[[ $found == "$expected" ]] || {
    echo "expected:" >&2
    echo "$expected" >&2
    exit 1
}
