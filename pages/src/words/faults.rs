//! Why an entry is refused, in Chinese. The messages have a structure: what is wrong at which place,
//! what was expected, and what differs from case to case. So phrases are translated, and phrases in
//! them.

use super::chinese;

/// English with `{}` where something differs, and Chinese with the number of its place. Of several
/// that fit, the first one counts.
const PHRASES: &[(&str, &str)] = &[
    // Faults of notation.
    (
        "column {}: expected nothing, as the game is over, found {}",
        "本局已结束",
    ),
    (
        "column {}: expected nothing more, as the game is over, found {}",
        "第{0}个字符：本局已结束，多出{1}",
    ),
    (
        "column {}: expected the end, found {}",
        "第{0}个字符：输入应在此结束，多出{1}",
    ),
    (
        "column {}: expected {}, found the end",
        "第{0}个字符：应为{1}，但输入已结束",
    ),
    (
        "column {}: expected {}, found {}",
        "第{0}个字符：应为{1}，却是{2}",
    ),
    ("a column letter {} to {}", "列字母{0}至{1}"),
    ("a column letter, {} to {}", "列字母{0}至{1}"),
    ("a column {} to {}", "列{0}至{1}"),
    ("a row number {} to {}", "行号{0}至{1}"),
    ("a row {} to {}", "行号{0}至{1}"),
    ("a row, {} to {}", "行号{0}至{1}"),
    ("a dot's column, {} to {}", "点的列{0}至{1}"),
    ("a dot's row, {} to {}", "点的行{0}至{1}"),
    ("a hyphen", "连字符-"),
    ("an empty cell", "空位"),
    ("a roll of the die first", "先掷骰子"),
    ("a roll, d1 to {}", "骰子点数d1至{0}"),
    ("no roll, as none is due", "着法（现在不掷骰）"),
    ("the end", "结束"),
    ("the end of the turn", "本手结束"),
    ("the end of the stone", "此子结束"),
    ("the end of the action", "此步结束"),
    ("the end of the turn after {} actions", "本手在{0}步后结束"),
    (
        "another action, as the turn is not over",
        "下一步（本手未完）",
    ),
    ("nothing more, as the turn is over", "结束（本手已完）"),
    ("the square of a {} amazon", "{0}方亚马逊所在的格"),
    (
        "a square that the amazon on {} can reach",
        "{0}的亚马逊能到的格",
    ),
    (
        "a square that an arrow from {} can reach",
        "从{0}射箭能到的格",
    ),
    (
        "h, as no edge goes up from the top row",
        "h（最上一行没有向上的边）",
    ),
    (
        "v, as no edge goes right from the last column",
        "v（最后一列没有向右的边）",
    ),
    (
        "another dot, as no edge begins here",
        "其他点（此点没有边）",
    ),
    ("an edge that is not drawn yet", "尚未画的边"),
    ("no edge, as the game is over", "无（本局已结束）"),
    (
        "the end of the turn, as the edge before closed no box",
        "本手结束（前一条边没有围成格子）",
    ),
    ("{}, as {} is to act", "{0}（轮到{1}方）"),
    ("a number of a piece, {} to {}", "棋子编号{0}至{1}"),
    ("a number that has not been placed", "尚未摆放的编号"),
    ("a piece that die {} moves: {}", "骰子{0}可走的棋子：{1}"),
    ("a square that {} {} reaches: {}", "{0}方{1}能到的格：{2}"),
    (
        "x and the number of fifth stones that black will offer, as x2",
        "x和第五手的打点数，如x2",
    ),
    ("a number of fifth stones {} to {}", "打点数{0}至{1}"),
    (
        "a cell: the number of fifth stones follows the third",
        "落点（打点数在第三子之后）",
    ),
    (
        "a cell: a swap is possible only before the fourth stone",
        "落点（第四子之前才能交换）",
    ),
    (
        "a cell: a pass is possible only from the sixth stone on, with a prescribed opening",
        "落点（指定开局第六子起才能停一手）",
    ),
    (
        "another action: a claim is possible only right after a forbidden move",
        "其他着法（禁手之后才能指出）",
    ),
    ("one of the offered stones, {}", "打点之一：{0}"),
    (
        "a stone that mirrors no other: {} mirrors the offered {}",
        "不对称的打点（{0}与{1}对称）",
    ),
    ("a cell that is not offered yet", "尚未打点的位置"),
    ("the first stone on the centre, h8", "第一子在天元h8"),
    ("the second stone to touch the first", "第二子与第一子相邻"),
    (
        "the third stone to lie in the 5×5 around the centre",
        "第三子在天元周围5×5之内",
    ),
    ("swap or {}, which the variant has", "swap或本规则的{0}"),
    (
        "a stone, as no swap is possible here",
        "落子（此时不能交换）",
    ),
    ("{}, the forced first cell", "{0}（指定的第一手）"),
    (
        "'-' for a step or 'x' for a capture",
        "-（移动）或x（吃子）",
    ),
    ("'-', as the target is empty", "-（目标处无子）"),
    ("'x', as the target is taken", "x（目标处有子）"),
    ("a point with a {} piece", "有{0}方棋子的点"),
    ("an empty neighbour of the piece", "此子旁边的空点"),
    ("an empty point or an enemy piece", "空点或对方棋子"),
    (
        "an enemy piece that the piece reaches through an arc",
        "此子沿弧线能吃的对方棋子",
    ),
    // What is not possible now.
    ("the session is closed", "场次已关闭"),
    (
        "a turn was played, expected a session without any",
        "已走棋的场次不能删除",
    ),
    ("paused already", "已经暂停"),
    ("not paused, expected a pause", "未暂停"),
    ("paused, expected resume first", "已暂停，请先继续"),
    (
        "the game is not over, expected its result first",
        "本局未结束，请先得出结果",
    ),
    (
        "the series is over, expected a new session",
        "系列赛已结束，请开始新场次",
    ),
    (
        "no turn of the engine to confirm, expected its answer first",
        "引擎尚未走棋，无可确认",
    ),
    (
        "{}, but the engine plays {}: expected {}, or a correction with the referee's consent",
        "{0}：引擎走的是{1}，应为{2}，或经裁判同意后更正",
    ),
    (
        "{}, expected the whole turn: {} may follow",
        "{0}：本手未完，可接{1}",
    ),
    ("{}, expected the actions of one turn", "{0}：只能输入一手"),
    ("a roll of {}, expected {}", "点数{0}：应为{1}"),
    ("{}, expected a roll, d1 to {}", "{0}：应为骰子点数d1至{1}"),
    ("no roll is due, expected a turn", "现在不掷骰，请输入着法"),
    ("the program rolls the die", "由程序掷骰"),
    ("{} has time left, expected none", "{0}尚未超时"),
    (
        "correction from {}, expected a turn or roll first",
        "还没有可更正的着法",
    ),
    (
        "no engine is to move, expected the turn of one",
        "现在不是引擎走棋",
    ),
    (
        "the engine does not think, expected its turn",
        "引擎未在思考",
    ),
    (
        "{} has no command to answer at once, expected an engine in ugi",
        "{0}协议没有立即走棋的命令，需用ugi引擎",
    ),
    (
        "{} has no endless search, expected an engine in ugi",
        "{0}协议不能持续搜索，需用ugi引擎",
    ),
    ("a contest has no hints", "比赛中没有提示"),
    ("no hint was found in time", "没有及时找到提示"),
    ("the analysis has ended", "分析已结束"),
    (
        "nobody is to move, expected a position with a player to move",
        "此局面无人走棋",
    ),
    ("{} minutes, expected {} to {}", "{0}分钟：应为{1}至{2}"),
    ("name of {}: empty, expected one", "请填写{0}方的名称"),
    (
        "both seats are named {}, expected two names",
        "双方名称同为{0}，请用不同的名称",
    ),
    // A list of what is possible, in what the phrases above have left.
    ("{} or {}", "{0}或{1}"),
];

/// The Chinese of a refusal; `None` if no phrase fits.
pub(super) fn translated(message: &str) -> Option<String> {
    PHRASES.iter().find_map(|(english, chinese)| {
        let places = places(english, message)?;
        let places = places.into_iter().enumerate();
        Some(places.fold((*chinese).to_owned(), |text, (number, place)| {
            text.replace(&format!("{{{number}}}"), &part(place))
        }))
    })
}

/// A part of a refusal in Chinese. What an entry had is quoted, and stays as it was.
fn part(text: &str) -> String {
    let known = || chinese(text).map(str::to_owned);
    if text.starts_with('"') {
        text.to_owned()
    } else {
        known()
            .or_else(|| translated(text))
            .unwrap_or_else(|| text.to_owned())
    }
}

/// What stands in the places of a phrase; `None` if the text is not that phrase.
fn places<'t>(phrase: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let mut between = phrase.split("{}");
    let mut rest = text.strip_prefix(between.next()?)?;
    let mut places = Vec::new();
    let mut between = between.peekable();
    while let Some(literal) = between.next() {
        let end = match between.peek() {
            Some(_) => rest.find(literal)?,
            None => rest.strip_suffix(literal)?.len(),
        };
        places.push(&rest[..end]);
        rest = &rest[end + literal.len()..];
    }
    (rest.is_empty() && places.iter().all(|place| !place.is_empty())).then_some(places)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use catalog::AnyMatch;
    use engine_core::Rng;
    use protocol::Protocol;
    use serde_json::json;

    use super::super::Language;
    use super::*;

    /// Words of the notations.
    const NOTATION: [&str; 6] = ["swap", "pass", "claim", "pieces", "sides", "ugi"];

    /// The English words in a text, without what is quoted.
    fn english(text: &str) -> Vec<&str> {
        let plain = text.split('"').step_by(2);
        let words = plain.flat_map(|part| part.split(|c: char| !c.is_ascii_alphabetic()));
        words
            .filter(|word| word.len() > 2 && !NOTATION.contains(word))
            .collect()
    }

    /// A text that differs a little from an action, and may still be one.
    fn misspelled(actions: &[String], rng: &mut Rng) -> String {
        let mut pick = |bound: usize| rng.below(bound as u32) as usize;
        let mut text: Vec<char> = actions[pick(actions.len())].chars().collect();
        for _ in 0..pick(3) {
            let place = pick(text.len() + 1);
            let other = b"abefhjkz0179-x: d.+"[pick(19)] as char;
            match (pick(4), place < text.len()) {
                (0, true) => drop(text.remove(place)),
                (1, true) => text[place] = other,
                (2, true) => text.truncate(place),
                _ => text.insert(place, other),
            }
        }
        text.into_iter().collect()
    }

    /// The refusals of wrong entries in random games of a game.
    fn refusals(rules: &dyn catalog::Rules, variant: &serde_json::Value) -> BTreeSet<String> {
        let mut rng = Rng::new(1);
        let mut texts = BTreeSet::new();
        for _ in 0..3 {
            let mut game: Box<dyn AnyMatch> = rules.start(variant).unwrap();
            let mut seen = ["swap", "pass", "claim", "x3", "d3"]
                .map(str::to_owned)
                .to_vec();
            while game.outcome().is_none() {
                let actions = game.actions();
                seen.extend(actions.iter().take(20).cloned());
                let mut tries = 0..200;
                let mut refused = || {
                    let from = [&actions, &seen][rng.below(2) as usize];
                    let text = misspelled(from, &mut rng);
                    let words: Vec<&str> = text.split_whitespace().collect();
                    let followed = game.follow(Protocol::Ugi, &words);
                    followed
                        .map_err(|error| texts.insert(error.to_string()))
                        .is_err()
                };
                if tries.all(|_| refused()) {
                    let action = &actions[rng.below(actions.len() as u32) as usize];
                    game.play_words(action).unwrap();
                }
            }
            for text in &seen {
                let error = game.follow(Protocol::Ugi, &[text]).unwrap_err();
                texts.insert(error.to_string());
            }
        }
        texts
    }

    #[test]
    fn every_fault_of_notation_has_its_chinese() {
        for rules in catalog::GAMES {
            let variants = match rules.id() {
                "gomoku" => vec![json!({}), json!({ "opening": "free", "forbidden": "off" })],
                "hex" => vec![json!({}), json!({ "opening": "swap" })],
                _ => vec![json!({})],
            };
            for variant in variants {
                let refusals = refusals(*rules, &variant);
                assert!(refusals.len() > 10, "{}: {refusals:?}", rules.id());
                let chinese = refusals.iter().map(|text| Language::Chinese.refusal(text));
                let mixed: Vec<_> = chinese.filter(|text| !english(text).is_empty()).collect();
                assert!(mixed.is_empty(), "{}: {mixed:#?}", rules.id());
            }
        }
    }

    #[test]
    fn phrases_are_translated_within_phrases() {
        for (message, expected) in [
            (
                "column 2: expected a piece that die 6 moves: 5 or 6, found \"3\"",
                "第2个字符：应为骰子6可走的棋子：5或6，却是\"3\"",
            ),
            (
                "column 1: expected the square of a black amazon, found \"a or b\"",
                "第1个字符：应为黑方亚马逊所在的格，却是\"a or b\"",
            ),
            (
                "\"d1\", expected the whole turn: d7, d8 may follow",
                "\"d1\"：本手未完，可接d7, d8",
            ),
            ("First has time left, expected none", "先手尚未超时"),
            ("a cat on the keyboard", "无法执行：a cat on the keyboard"),
        ] {
            assert_eq!(Language::Chinese.refusal(message), expected);
            assert_eq!(Language::English.refusal(message), message);
        }
    }

    #[test]
    fn every_place_of_a_phrase_is_a_place_of_its_chinese() {
        for (english, chinese) in PHRASES {
            let places = english.matches("{}").count();
            for number in 0..9 {
                let is_there = chinese.contains(&format!("{{{number}}}"));
                assert!(!is_there || number < places, "{english}");
            }
        }
    }
}
