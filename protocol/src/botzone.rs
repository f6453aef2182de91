//! The grammar of Botzone's interaction (Peking University's judge, <https://wiki.botzone.org.cn>):
//! the input and output of a bot on each turn, both directions, as JSON and simplified.
//!
//! A bot gets requests, which hold the opponent's turns, and its own earlier responses. Turns are
//! numbers; in JSON the game names them ([`Announcement::names`]). An absent turn is written as
//! numbers of -1.
//!
//! In the simplified form, each turn is a line of numbers separated by blanks. The input is the
//! number of requests, then requests and responses alternately, one per line.

use engine_core::Side;
use serde_json::{Map, Value};

use crate::announcement::Announcement;

/// A bot that prints this line after its response keeps running. From then on it gets only the new
/// request on each turn.
pub const KEEP_RUNNING: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// Stands for each number of an absent turn.
pub const NONE: i64 = -1;

/// The opponent's action, and whether the bot must pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The numbers of the action; all -1 for none.
    pub numbers: Vec<i64>,
    /// Whether the opponent's turn continues, so that the bot must pass with numbers of -1.
    pub pass: bool,
}

/// Requests to one side and its responses. There is one request more than responses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// Requests, in order.
    pub requests: Vec<Request>,
    /// Responses, in order: the numbers of the side's actions.
    pub responses: Vec<Vec<i64>>,
}

/// Whether the numbers stand for no action.
pub fn is_none(numbers: &[i64]) -> bool {
    numbers.iter().all(|&number| number == NONE)
}

impl Exchange {
    /// The exchange with the side to act next, after these actions in order.
    pub fn with(side: Side, actions: &[(Side, Vec<i64>)], width: usize) -> Exchange {
        let none = || vec![NONE; width];
        let mut exchange = Exchange::default();
        let mut heard = None;
        for (index, (actor, numbers)) in actions.iter().enumerate() {
            let next = actions.get(index + 1).map_or(side, |(next, _)| *next);
            let numbers = numbers.clone();
            if *actor == side {
                let request = heard.take().unwrap_or_else(|| Request {
                    numbers: none(),
                    pass: false,
                });
                exchange.requests.push(request);
                exchange.responses.push(numbers);
            } else if next == side {
                heard = Some(Request {
                    numbers,
                    pass: false,
                });
            } else {
                let pass = true;
                exchange.requests.push(Request { numbers, pass });
                exchange.responses.push(none());
            }
        }
        exchange.requests.push(heard.unwrap_or_else(|| Request {
            numbers: none(),
            pass: false,
        }));
        exchange
    }

    /// All actions, in order.
    pub fn actions(&self) -> impl Iterator<Item = &[i64]> {
        let responses = self.responses.iter().map(Some).chain([None]);
        let pairs = self.requests.iter().zip(responses);
        let numbers = pairs.flat_map(|(request, response)| [Some(&request.numbers), response]);
        numbers
            .flatten()
            .map(Vec::as_slice)
            .filter(|numbers| !is_none(numbers))
    }
}

/// Fields of the input and output that are not part of the game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extra {
    /// Data that the bot stores for this game.
    pub data: Option<Value>,
    /// Data that the bot stores for all games.
    pub globaldata: Option<Value>,
    /// Time limit of a turn, seconds.
    pub time_limit: Option<f64>,
    /// Memory limit, MiB.
    pub memory_limit: Option<u64>,
}

/// Reads and writes the numbers of a game.
#[derive(Clone, Debug)]
pub struct Grammar {
    /// The game's announcement: the names of numbers, and the forced values.
    pub announcement: Announcement,
    /// Whether to use the simplified form.
    pub simplified: bool,
}

impl Grammar {
    /// Number of numbers in an action.
    pub fn width(&self) -> usize {
        self.announcement.names.len()
    }

    /// The whole input of a bot that starts; every line ends with `\n`.
    pub fn write_input(&self, exchange: &Exchange, extra: &Extra) -> String {
        let requests = exchange.requests.iter().enumerate();
        if self.simplified {
            let mut text = format!("{}\n", exchange.requests.len());
            for (index, request) in requests {
                text += &self.write_request(request, index == 0);
                if let Some(response) = exchange.responses.get(index) {
                    text += &self.write_response(response);
                }
            }
            if let Some(Value::String(data)) = &extra.data {
                text += &format!("{data}\n");
            }
            return text;
        }
        let requests = requests.map(|(index, request)| self.request_value(request, index == 0));
        let responses = exchange.responses.iter().map(|r| self.numbers_value(r));
        let mut input = Map::new();
        input.insert("requests".into(), requests.collect());
        input.insert("responses".into(), responses.collect());
        let mut put = |key: &str, value: Option<Value>| {
            value.map(|value| input.insert(key.into(), value));
        };
        put("data", extra.data.clone());
        put("globaldata", extra.globaldata.clone());
        put("time_limit", extra.time_limit.map(Value::from));
        put("memory_limit", extra.memory_limit.map(Value::from));
        format!("{}\n", Value::Object(input))
    }

    /// A single request, for a bot that keeps running. `first` marks the first request of the game;
    /// only `First` gets the forced values in it.
    pub fn write_request(&self, request: &Request, first: bool) -> String {
        if !self.simplified {
            return format!("{}\n", self.request_value(request, first));
        }
        let mut numbers = request.numbers.clone();
        if self.announcement.passes {
            numbers.push(request.pass.into());
        }
        if first && is_none(&request.numbers) {
            numbers.extend(self.announcement.forced.iter().map(|(_, value)| value));
        }
        line(&numbers)
    }

    /// The response line of a bot.
    pub fn write_response(&self, numbers: &[i64]) -> String {
        if self.simplified {
            return line(numbers);
        }
        let response = [("response".to_owned(), self.numbers_value(numbers))];
        format!("{}\n", Value::Object(response.into_iter().collect()))
    }

    fn numbers_value(&self, numbers: &[i64]) -> Value {
        let names = self.announcement.names.iter();
        let pairs = names.zip(numbers);
        let pairs = pairs.map(|(&name, &number)| (name.to_owned(), number.into()));
        Value::Object(pairs.collect())
    }

    fn request_value(&self, request: &Request, first: bool) -> Value {
        let mut value = self.numbers_value(&request.numbers);
        let mut put = |name: &str, number: i64| value[name] = number.into();
        if self.announcement.passes {
            put("pass", request.pass.into());
        }
        if first && is_none(&request.numbers) {
            for &(name, number) in &self.announcement.forced {
                put(name, number);
            }
        }
        value
    }

    /// Reads the input of a bot that starts; takes only as many of the `lines` as belong to it.
    ///
    /// # Errors
    /// A message that says what was expected.
    pub fn read_input(
        &self,
        lines: impl Iterator<Item = String>,
    ) -> Result<(Exchange, Extra), String> {
        let mut lines = lines.filter(|line| !plain(line).is_empty());
        let first = lines.next().unwrap_or_default();
        if !self.simplified {
            return self.read_json(&first);
        }
        let expected = || format!("expected the number of requests, found {first:?}");
        let count: usize = plain(&first).parse().map_err(|_| expected())?;
        let mut exchange = Exchange::default();
        for index in 0..count {
            let missing = || format!("expected request {} of {count}, found the end", index + 1);
            let request = lines.next().ok_or_else(missing)?;
            exchange.requests.push(self.read_request(&request)?);
            if index + 1 < count {
                let response = lines.next().ok_or_else(missing)?;
                exchange.responses.push(self.read_numbers(&response)?);
            }
        }
        match count {
            0 => Err("expected at least one request".into()),
            _ => Ok((exchange, Extra::default())),
        }
    }

    fn read_json(&self, text: &str) -> Result<(Exchange, Extra), String> {
        let input: Value = serde_json::from_str(plain(text))
            .map_err(|error| format!("expected a line of JSON: {error}"))?;
        let list = |key: &str| {
            let list = input.get(key).and_then(Value::as_array);
            list.ok_or_else(|| format!("expected a list of {key}"))
        };
        let (requests, responses) = (list("requests")?, list("responses")?);
        if requests.len() != responses.len() + 1 {
            return Err("expected one request more than responses".into());
        }
        let requests = requests.iter().map(|value| self.request_of(value));
        let responses = responses.iter().map(|value| self.numbers_of(value));
        let exchange = Exchange {
            requests: requests.collect::<Result<_, _>>()?,
            responses: responses.collect::<Result<_, _>>()?,
        };
        let extra = Extra {
            data: input.get("data").cloned(),
            globaldata: input.get("globaldata").cloned(),
            time_limit: input.get("time_limit").and_then(number),
            memory_limit: input.get("memory_limit").and_then(Value::as_u64),
        };
        Ok((exchange, extra))
    }

    /// Reads a single request. A whole input is accepted too; its last request counts.
    ///
    /// # Errors
    /// A message that says what was expected.
    pub fn read_request(&self, text: &str) -> Result<Request, String> {
        if self.simplified {
            let mut numbers = numbers_of_line(text)?;
            let width = self.width();
            if numbers.len() < width {
                return Err(format!("expected {width} numbers, found {text:?}"));
            }
            let pass = self.announcement.passes && numbers.get(width) == Some(&1);
            numbers.truncate(width);
            return Ok(Request { numbers, pass });
        }
        let value: Value = serde_json::from_str(plain(text))
            .map_err(|error| format!("expected a line of JSON: {error}"))?;
        match value.get("requests").and_then(Value::as_array) {
            Some(requests) => self.request_of(requests.last().unwrap_or(&Value::Null)),
            None => self.request_of(&value),
        }
    }

    fn request_of(&self, value: &Value) -> Result<Request, String> {
        Ok(Request {
            numbers: self.numbers_of(value)?,
            pass: self.announcement.passes && value.get("pass").and_then(whole) == Some(1),
        })
    }

    fn numbers_of(&self, value: &Value) -> Result<Vec<i64>, String> {
        let number = |name: &&str| {
            let number = value.get(name).and_then(whole);
            number.ok_or_else(|| format!("expected a whole number {name}, found {value}"))
        };
        self.announcement.names.iter().map(number).collect()
    }

    /// Reads the response line of a bot: the numbers and the data it stores.
    ///
    /// # Errors
    /// A message that says what was expected.
    pub fn read_response(&self, text: &str) -> Result<(Vec<i64>, Extra), String> {
        if self.simplified {
            return Ok((self.read_numbers(text)?, Extra::default()));
        }
        let value: Value = serde_json::from_str(plain(text))
            .map_err(|error| format!("expected a line of JSON: {error}"))?;
        let response = value.get("response").ok_or("expected a response")?;
        let kept = Extra {
            data: value.get("data").cloned(),
            globaldata: value.get("globaldata").cloned(),
            ..Extra::default()
        };
        Ok((self.numbers_of(response)?, kept))
    }

    fn read_numbers(&self, text: &str) -> Result<Vec<i64>, String> {
        let numbers = numbers_of_line(text)?;
        if numbers.len() == self.width() {
            Ok(numbers)
        } else {
            Err(format!("expected {} numbers, found {text:?}", self.width()))
        }
    }
}

/// A line without byte-order mark and surrounding blanks.
fn plain(line: &str) -> &str {
    line.trim_start_matches('\u{feff}').trim()
}

fn line(numbers: &[i64]) -> String {
    format!("{}\n", words(numbers))
}

/// Numbers in the form of the game's dialect: separated by blanks.
pub fn words(numbers: &[i64]) -> String {
    let words: Vec<String> = numbers.iter().map(i64::to_string).collect();
    words.join(" ")
}

/// Reads a line of numbers.
///
/// # Errors
/// A word that is not a whole number.
pub fn numbers_of_line(text: &str) -> Result<Vec<i64>, String> {
    let words = plain(text).split_whitespace();
    let numbers = words.map(|word| {
        let number = word.parse();
        number.map_err(|_| format!("expected a whole number, found {word:?}"))
    });
    numbers.collect()
}

/// Reads a whole number; some bots write it as a string.
fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        Value::Bool(truth) => Some((*truth).into()),
        Value::Number(number) => number.as_i64().or_else(|| {
            number
                .as_f64()
                .filter(|f| f.fract() == 0.0)
                .map(|f| f as i64)
        }),
        _ => None,
    }
}

fn number(value: &Value) -> Option<f64> {
    value
        .as_f64()
        .or_else(|| value.as_str()?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn pencil(simplified: bool) -> Grammar {
        Grammar {
            announcement: Announcement {
                names: &["x", "y"],
                passes: true,
                ..Announcement::default()
            },
            simplified,
        }
    }

    fn hex(simplified: bool) -> Grammar {
        Grammar {
            announcement: Announcement {
                names: &["x", "y"],
                forced: vec![("forced_x", 1), ("forced_y", 2)],
                ..Announcement::default()
            },
            simplified,
        }
    }

    fn actions() -> [(Side, Vec<i64>); 5] {
        use Side::{First, Second};
        [
            (First, vec![1, 0]),
            (Second, vec![0, 1]),
            (Second, vec![2, 1]),
            (Second, vec![4, 1]),
            (First, vec![5, 0]),
        ]
    }

    #[test]
    fn the_waiting_side_passes() {
        let pass = |numbers: &[i64], pass| Request {
            numbers: numbers.to_vec(),
            pass,
        };
        let first = Exchange::with(Side::First, &actions()[..4], 2);
        let told = [
            pass(&[-1, -1], false),
            pass(&[0, 1], true),
            pass(&[2, 1], true),
            pass(&[4, 1], false),
        ];
        assert_eq!(first.requests, told);
        assert_eq!(first.responses, [[1, 0], [-1, -1], [-1, -1]]);
        let second = Exchange::with(Side::Second, &actions(), 2);
        let told = [
            pass(&[1, 0], false),
            pass(&[-1, -1], false),
            pass(&[-1, -1], false),
            pass(&[5, 0], false),
        ];
        assert_eq!(second.requests, told);
        for exchange in [first, second] {
            let all = actions();
            let known: Vec<&[i64]> = exchange.actions().collect();
            let played = all.iter().map(|(_, numbers)| numbers.as_slice());
            assert_eq!(known, played.take(known.len()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn both_forms_match_the_judge() {
        let exchange = Exchange::with(Side::First, &actions()[..2], 2);
        let input = hex(false).write_input(&exchange, &Extra::default());
        let input: Value = serde_json::from_str(&input).unwrap();
        let told = json!({
            "requests": [{"x": -1, "y": -1, "forced_x": 1, "forced_y": 2}, {"x": 0, "y": 1}],
            "responses": [{"x": 1, "y": 0}],
        });
        assert_eq!(input, told);
        let simple = hex(true).write_input(&exchange, &Extra::default());
        assert_eq!(simple, "2\n-1 -1 1 2\n1 0\n0 1\n");
        let second = Exchange::with(Side::Second, &actions()[..1], 2);
        assert_eq!(
            hex(true).write_input(&second, &Extra::default()),
            "1\n1 0\n"
        );
        assert_eq!(
            hex(false).write_request(&second.requests[0], true),
            "{\"x\":1,\"y\":0}\n",
            "only First is forced"
        );
        assert_eq!(
            pencil(false).write_request(&exchange.requests[1], false),
            "{\"pass\":0,\"x\":0,\"y\":1}\n"
        );
        assert_eq!(
            hex(false).write_response(&[3, 4]),
            "{\"response\":{\"x\":3,\"y\":4}}\n"
        );
        let (numbers, kept) = hex(false)
            .read_response(r#"{"response":{"x":"3","y":4.0},"debug":"d","data":[1]}"#)
            .unwrap();
        assert_eq!((numbers, kept.data), (vec![3, 4], Some(json!([1]))));
    }

    #[test]
    fn byte_order_marks_and_empty_lines_are_skipped() {
        for (simplified, text) in [
            (
                true,
                "\u{feff}\n\u{feff}2\r\n-1 -1 1 2\r\n\r\n1 0\n 0\t1 \n",
            ),
            (
                false,
                "\n\u{feff} {\"requests\":[{\"x\":-1,\"y\":-1},{\"x\":0,\"y\":1}],\"responses\":[{\"x\":1,\"y\":0}]}\r",
            ),
        ] {
            let lines = text.lines().map(String::from);
            let (exchange, _) = hex(simplified).read_input(lines).unwrap();
            assert_eq!(exchange, Exchange::with(Side::First, &actions()[..2], 2));
        }
        let numbers = hex(true).read_response("\u{feff}3 4\r").unwrap().0;
        assert_eq!(numbers, [3, 4]);
    }

    #[test]
    fn invalid_input_is_refused() {
        for text in [
            "",
            "x",
            "0\n",
            "2\n1 1\n",
            "1\n1\n",
            "99999999999999999999\n",
        ] {
            let lines = text.lines().map(String::from);
            assert!(hex(true).read_input(lines).is_err(), "{text:?}");
        }
        for text in [
            "",
            "{}",
            r#"{"requests":[],"responses":[]}"#,
            r#"{"requests":[{"x":1}],"responses":[]}"#,
            r#"{"requests":[{"x":1,"y":1.5}],"responses":[]}"#,
        ] {
            assert!(
                hex(false)
                    .read_input([text.to_owned()].into_iter())
                    .is_err(),
                "{text:?}"
            );
            assert!(hex(false).read_response(text).is_err(), "{text:?}");
        }
    }

    fn plays() -> impl Strategy<Value = Vec<(Side, Vec<i64>)>> {
        let action = (any::<bool>(), 0i64..11, 0i64..11);
        let actions = prop::collection::vec(action, 0..20);
        actions.prop_map(|actions| {
            let side = |first| if first { Side::First } else { Side::Second };
            let actions = actions.into_iter();
            actions
                .map(|(first, x, y)| (side(first), vec![x, y]))
                .collect()
        })
    }

    proptest! {
        #[test]
        fn written_text_reads_back(actions in plays(), simplified in any::<bool>()) {
            let grammar = pencil(simplified);
            let exchange = Exchange::with(Side::First, &actions, 2);
            let text = grammar.write_input(&exchange, &Extra::default());
            let (read, _) = grammar.read_input(text.lines().map(String::from)).unwrap();
            prop_assert_eq!(&read, &exchange);
            for (index, request) in exchange.requests.iter().enumerate() {
                let text = grammar.write_request(request, index == 0);
                prop_assert_eq!(&grammar.read_request(text.trim_end()).unwrap(), request);
            }
            for response in &exchange.responses {
                let text = grammar.write_response(response);
                prop_assert_eq!(&grammar.read_response(text.trim_end()).unwrap().0, response);
            }
        }

        #[test]
        fn any_text_is_read_without_panic(text in any::<String>(), simplified in any::<bool>()) {
            let grammar = hex(simplified);
            let _ = grammar.read_input(text.lines().map(String::from));
            let _ = grammar.read_request(&text);
            let _ = grammar.read_response(&text);
        }
    }
}
