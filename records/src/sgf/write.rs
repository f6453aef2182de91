//! The writer.

use engine_core::{Outcome, Side};
use game::turn::{play_word, turn_is_over};

use crate::recorded::is_omitted;
use crate::{Event, Extras, Header, Record, Recorded, Remark, Sgf, TurnMark, Unwritable};

/// A text as a value, with escapes. A `;` that would look like the begin of a game or of a turn, and a
/// bracket after the name of a property, are escaped, too: a reader may take them for one whose bracket
/// before it was lost.
fn escaped(text: &str) -> String {
    let mut value = String::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        let is_property = c == '[' && before.is_ascii_uppercase();
        if "]\\".contains(c) || is_property || c == ';' && (before == '(' || is_turn(rest)) {
            value.push('\\');
        }
        value.push(if c.is_control() { ' ' } else { c });
        // Control characters are written as blanks.
        let is_blank = c.is_whitespace() || c.is_control();
        before = if is_blank { before } else { c };
    }
    value
}

/// Whether a text begins like the property of a turn.
fn is_turn(text: &str) -> bool {
    let name = text.trim_start().strip_prefix(['B', 'W']);
    name.is_some_and(|rest| rest.trim_start().starts_with('['))
}

/// A comment as a value, without brackets: pysgf 1.0.0 splits a text at `\][`, escaped as it should be.
fn comment(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(escaped).collect();
    lines.join("\n").replace('[', "(").replace("\\]", ")")
}

/// Writes one game. `extras` are for properties beside the turns.
///
/// # Errors
/// A board without a size, or a first position that stones on it do not make.
pub(crate) fn write<G: Recorded>(
    record: &Record<G>,
    extras: &Extras,
) -> Result<String, Unwritable> {
    let sgf = G::SGF.ok_or_else(|| Unwritable(G::NAME.to_owned()))?;
    let size = G::size(&record.variant).ok_or_else(|| Unwritable("this board".to_owned()))?;
    let set_up = set_up(record)?;
    let mut text = format!("(;FF[4]GM[{}]CA[UTF-8]SZ[{size}]", sgf.number);
    if let Some(rules) = G::rules_words(&record.variant) {
        text += &format!("RU[{rules}]");
    }
    text += &write_header(&record.header, extras);
    text += &set_up;
    let nodes = nodes(record);
    let without = turn_count(record).saturating_sub(extras.remarks.len());
    // What follows the main line at each place where it branches, the last place first.
    let mut variations = String::new();
    for (index, node) in nodes.iter().enumerate() {
        // Ten turns per line.
        text += if index % 10 == 0 { "\n" } else { "" };
        let is_last = nodes
            .get(index + 1)
            .is_none_or(|next| next.turn != node.turn);
        let remark = node.turn.checked_sub(without);
        let remark = remark.and_then(|turn| extras.remarks.get(turn));
        let is_first = index == 0 || nodes[index - 1].turn != node.turn;
        let better = remark
            .filter(|_| is_first)
            .map_or(&[][..], |remark| &remark.better);
        if let Some(variation) = variation(sgf, record, node, better) {
            text.push('(');
            variations = format!(")\n({variation}){variations}");
        }
        text += &write_node(sgf, node, remark.filter(|_| is_last));
    }
    text += &variations;
    text += ")\n";
    match record.check_start() {
        Ok(()) => Ok(text),
        Err(refused) => is_same_start(record, &text).then_some(text).ok_or(refused),
    }
}

/// The number of turns and rolls of a game; the last turn may be unfinished.
fn turn_count<G: Recorded>(record: &Record<G>) -> usize {
    let mut position = record.start.clone();
    let mut count = 0;
    let mut is_over = true;
    for event in &record.events {
        let side = position.side();
        event.play(&mut position);
        is_over = matches!(event, Event::Roll(_)) || turn_is_over(&position, side);
        count += usize::from(is_over);
    }
    count + usize::from(!is_over)
}

/// The stones of the first position, if it is not the start of the variant.
fn set_up<G: Recorded>(record: &Record<G>) -> Result<String, Unwritable> {
    let Err(refused) = record.check_start() else {
        return Ok(String::new());
    };
    let start = &record.start;
    let stones = start.placed().ok_or(refused)?;
    let mut text = String::new();
    for (name, stones) in ["AB", "AW"].into_iter().zip(stones) {
        if !stones.is_empty() {
            text += name;
        }
        for stone in stones {
            text += &format!("[{}]", record.start.spelled(stone));
        }
    }
    let to_move = ["B", "W"][start.colour_index(start.side())];
    Ok(text + &format!("PL[{to_move}]"))
}

/// Whether a game reads back with the same first position.
fn is_same_start<G: Recorded>(record: &Record<G>, text: &str) -> bool {
    let mut is_same = false;
    super::read::<G>(text, &record.variant, false, |reading| {
        is_same = reading.fault.is_none() && reading.record.start == record.start;
    });
    is_same
}

/// Turns from the position before a node; `None` if there are none, or if one cannot be played.
fn variation<G: Recorded>(
    sgf: Sgf,
    record: &Record<G>,
    node: &Node<G>,
    turns: &[String],
) -> Option<String> {
    let mut position = node.before.clone();
    let mut events = Vec::new();
    for turn in turns {
        let moves = play_word(&mut position, turn).ok()?;
        events.extend(moves.into_iter().map(Event::Move));
    }
    let line = Record {
        header: Header::default(),
        variant: record.variant.clone(),
        start: node.before.clone(),
        events,
    };
    let nodes: String = nodes(&line)
        .iter()
        .map(|node| write_node(sgf, node, None))
        .collect();
    (!nodes.is_empty()).then_some(nodes)
}

/// A node of the main line.
fn write_node<G: Recorded>(sgf: Sgf, node: &Node<G>, remark: Option<&Remark>) -> String {
    let Node {
        before,
        side,
        moves,
        ..
    } = node;
    let colour = if sgf.by_colour {
        before.colour_index(*side)
    } else {
        side.index()
    };
    let value = match moves[..] {
        _ if sgf.is_sau => (G::sau().write)(before, moves).to_lowercase(),
        [mv] => before.spelled(mv),
        _ => before.write_turn(moves),
    };
    let letter = ['B', 'W'][colour];
    let mut text = format!(";{letter}[{value}]");
    if let Some(seconds) = remark.and_then(|remark| remark.seconds_left) {
        text += &format!("{letter}L[{seconds:.3}]");
    }
    let Some(remark) = remark else {
        return text;
    };
    text += match remark.mark {
        Some(TurnMark::Good) => "TE[1]",
        Some(TurnMark::Doubtful) => "DO[]",
        Some(TurnMark::Bad) => "BM[1]",
        Some(TurnMark::VeryBad) => "BM[2]",
        None => "",
    };
    if let Some(chance) = remark.chance {
        let is_black = !sgf.by_colour || before.colour_index(Side::First) == 0;
        let chance = if is_black { chance } else { 1.0 - chance };
        // What Sabaki draws its curve from: percent for black.
        text += &format!("SBKV[{:.1}]", 100.0 * chance);
    }
    if !remark.comment.is_empty() {
        text += &format!("C[{}]", comment(&remark.comment));
    }
    text
}

/// Successive actions of a turn that name the same side.
struct Node<G: Recorded> {
    /// The turn or roll of the game, from 0.
    turn: usize,
    before: G,
    side: Side,
    moves: Vec<G::Move>,
}

/// The nodes of a game, without the actions that the others imply.
fn nodes<G: Recorded>(record: &Record<G>) -> Vec<Node<G>> {
    let mut nodes: Vec<Node<G>> = Vec::new();
    let mut position = record.start.clone();
    let mut is_new = true;
    let mut turn = 0;
    for (index, event) in record.events.iter().enumerate() {
        let (turn_of, side) = (position.side(), position.recorded_side());
        if let Event::Move(mv) = *event
            && !is_omitted(&position, &record.events[index..])
        {
            match nodes.last_mut().filter(|node| !is_new && node.side == side) {
                Some(node) => node.moves.push(mv),
                None => nodes.push(Node {
                    turn,
                    before: position.clone(),
                    side,
                    moves: vec![mv],
                }),
            }
            is_new = false;
        }
        event.play(&mut position);
        let is_over = turn_is_over(&position, turn_of);
        is_new |= is_over;
        turn += usize::from(is_over);
    }
    nodes
}

fn write_header(header: &Header, extras: &Extras) -> String {
    let result = match header.result {
        Some(Outcome::Win(Side::First)) => "B+",
        Some(Outcome::Win(Side::Second)) => "W+",
        Some(Outcome::Draw) => "0",
        None => "",
    };
    let result = match result {
        "B+" | "W+" => format!("{result}{}", extras.won_by),
        result => result.to_owned(),
    };
    let main_time = extras
        .main_seconds
        .map_or(String::new(), |time| time.to_string());
    let date = header.time.split(' ').next().unwrap_or_default();
    let [first, second] = &header.teams;
    [
        ("GN", header.id.as_str()),
        ("PB", first),
        ("PW", second),
        ("RE", &result),
        ("DT", &date.replace('.', "-")),
        ("PC", &header.place),
        ("EV", &header.event),
        ("TM", &main_time),
    ]
    .iter()
    .filter(|(_, value)| !value.is_empty())
    .map(|(name, value)| format!("{name}[{}]", escaped(value)))
    .collect()
}
