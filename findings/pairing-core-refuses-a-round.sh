#!/usr/bin/env bash
# pairing-core 0.4.1 (PyPI), `pairing_core.fide2026.pair_2026` with ruleset `dutch-2026`: it raises
# ImpossiblePairingError for a round that can be paired. 4 players, 3 rounds; the package pairs rounds 1 and 2 itself.
# White wins both games of round 1, both games of round 2 are drawn. Then players 1 and 4 lead with 1.5 points each,
# and have met. So each has to play one of the other two, and that is possible.
#
# Its README says of this error: "No legal pairing exists". One would expect that a score group whose players have
# all met makes no pair and floats down whole. Seen: a group of n players is tried only with n // 2 pairs in it,
# though the rules speak of the most pairs that can be made. py4swiss 0.3.1, engine `dutch`, pairs the same position.
# (It has the rules until January 2026. They bar the same things in this position.)
#
# "Legal" means: nobody meets an opponent again, and no two players meet who both must have the same colour. A player
# must have white after black twice running, or when two games of black ahead; and the other way round. With 4
# players there is no bye.
#
# Seen on 2026-11-29 with Python 3.11 (white first):
#   round 1: 1-3 4-2 (white wins)
#   round 2: 4-1 2-3 (drawn)
#   player 1: 1.5 points, colours WB met 3 4
#   player 2: 0.5 points, colours BW met 4 3
#   player 3: 0.5 points, colours BB met 1 2
#   player 4: 1.5 points, colours WW met 2 1
#   legal pairings of round 3: 1-2 3-4
#   pairing-core: ImpossiblePairingError: bracket at score 1.5 has no C4-compliant candidate (Art.1.9.3: Chief Arbiter decides).
#   py4swiss: 1-2 3-4 (legal)
# Needs python3 (3.11 or later) with venv, and PyPI. Ends with 1 if that has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pairing-core==0.4.1 py4swiss==0.3.1 pydantic==2.14.4
cat >"$folder/try.py" <<'EOF'
import sys
from pathlib import Path

from pairing_core.errors import ImpossiblePairingError
from pairing_core.fide2026 import DUTCH_2026, P26Player, P26Request, pair_2026
from py4swiss.engines import DutchEngine
from py4swiss.trf import TrfParser

PLAYERS, ROUNDS = range(1, 5), 3
# A round is a list of (white, black, points of white); an event is a list of rounds.


def history(event, me):
    """For each round: opponent, colour, points."""
    for games in event:
        white, black, points = next(game for game in games if me in game[:2])
        yield (black, "W", points) if me == white else (white, "B", 1 - points)


def by_pairing_core(event):
    players = []
    for me in PLAYERS:
        rounds = list(history(event, me))
        # No game so far was between players of different scores: there are no floats to report.
        players.append(P26Player(
            id=me, tpn=me, rating=1500, played=len(rounds), score=float(sum(points for _, _, points in rounds)),
            colors="".join(colour for _, colour, _ in rounds), opponents=tuple(other for other, _, _ in rounds)))
    request = P26Request(players=tuple(players), ruleset=DUTCH_2026, round_number=len(event) + 1,
                         total_rounds=ROUNDS, is_last_round=len(event) + 1 == ROUNDS)
    return [(pair.white_id, pair.black_id) for pair in pair_2026(request).pairs]


def by_py4swiss(event):
    lines = [f"XXR {ROUNDS}"]
    for me in PLAYERS:
        rounds = list(history(event, me))
        cells = [f"{other:4} {colour.lower()} { {0: '0', 0.5: '=', 1: '1'}[points]}" for other, colour, points in rounds]
        points, name = sum(points for _, _, points in rounds), f"Player {me}"
        lines.append(f"001 {me:4}      {name:33} 1500 {'':3} {'':11} {'':10} {points:4.1f} {me:4}  " + "  ".join(cells))
    file = Path(sys.argv[1]) / "event.trf"
    file.write_text("\n".join(lines) + "\n")
    return [(game.white, game.black) for game in DutchEngine.generate_pairings(TrfParser.parse(file, strict=True))]


def must_have(event, me):
    colours = "".join(colour for _, colour, _ in history(event, me))
    more_white = colours.count("W") - colours.count("B")
    if colours.endswith("WW") or more_white > 1:
        return "B"
    if colours.endswith("BB") or more_white < -1:
        return "W"
    return None


def legal(event):
    met = {frozenset(game[:2]) for games in event for game in games}
    must = {me: must_have(event, me) for me in PLAYERS}
    for split in ([(1, 2), (3, 4)], [(1, 3), (2, 4)], [(1, 4), (2, 3)]):
        if all(frozenset((a, b)) not in met and not (must[a] and must[a] == must[b]) for a, b in split):
            yield split


def show(games):
    return " ".join(f"{a}-{b}" for a, b in games)


event = []
for number, white_scores in ((1, 1), (2, 0.5)):
    games = by_pairing_core(event)
    print(f"round {number}:", show(games), "(white wins)" if white_scores == 1 else "(drawn)")
    event.append([(white, black, white_scores) for white, black in games])
for me in PLAYERS:
    rounds = list(history(event, me))
    print(f"player {me}: {sum(points for _, _, points in rounds)} points, colours",
          "".join(colour for _, colour, _ in rounds), "met", *(other for other, _, _ in rounds))
found = list(legal(event))
print("legal pairings of round 3:", ", ".join(map(show, found)))
try:
    print("pairing-core:", show(by_pairing_core(event)))
except ImpossiblePairingError as error:
    print("pairing-core: ImpossiblePairingError:", error)
games = by_py4swiss(event)
is_legal = sorted(tuple(sorted(game)) for game in games) in found
print("py4swiss:", show(games), "(legal)" if is_legal else "(NOT legal)")
EOF
found=$("$folder/venv/bin/python" "$folder/try.py" "$folder")
echo "$found"
expected=$(sed -n 's/^#   //p' "$0")
[[ $found == "$expected" ]] || {
    echo "changed; expected:" >&2
    echo "$expected" >&2
    exit 1
}
