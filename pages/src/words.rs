//! The languages of the pages. English words stand in the code; this table has their Chinese.

mod faults;

use std::collections::BTreeMap;

/// A language of the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Language {
    #[default]
    English,
    Chinese,
}

impl Language {
    /// The language of a code, `zh-CN` or `en`; `None` for others.
    pub(crate) fn of(code: &str) -> Option<Language> {
        match code.trim().get(..2)?.to_ascii_lowercase().as_str() {
            "zh" => Some(Language::Chinese),
            "en" => Some(Language::English),
            _ => None,
        }
    }

    /// Its code in HTML.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Chinese => "zh-CN",
        }
    }

    /// An English text in this language; itself if the table does not have it.
    pub(crate) fn say(self, english: &str) -> &str {
        match self {
            Language::English => english,
            Language::Chinese => chinese(english).unwrap_or(english),
        }
    }

    /// Why the server refuses something, in this language. Where only English is known, it stands
    /// after a Chinese word.
    pub(crate) fn refusal(self, english: &str) -> String {
        match self {
            Language::English => english.to_owned(),
            Language::Chinese => {
                let known = chinese(english).map(str::to_owned);
                let translated = known.or_else(|| faults::translated(english));
                translated.unwrap_or_else(|| format!("无法执行：{english}"))
            }
        }
    }

    /// The table for scripts, as JSON; empty in English.
    pub(crate) fn table(self) -> String {
        let table: BTreeMap<_, _> = match self {
            Language::English => BTreeMap::new(),
            Language::Chinese => WORDS.iter().copied().collect(),
        };
        serde_json::to_string(&table).expect("text is JSON")
    }
}

fn chinese(english: &str) -> Option<&'static str> {
    WORDS
        .iter()
        .find_map(|&(word, chinese)| (word == english).then_some(chinese))
}

/// English and Chinese.
const WORDS: &[(&str, &str)] = &[
    ("Leagues", "联赛"),
    ("Theme", "主题"),
    ("light", "浅色"),
    ("dark", "深色"),
    ("No league yet", "还没有联赛"),
    ("The log is being read …", "正在读取日志……"),
    ("Start one in a terminal:", "在终端中开始一个："),
    ("game", "棋种"),
    ("games", "局"),
    ("Games", "对局"),
    ("engine", "引擎"),
    ("opponent", "对手"),
    ("result", "结果"),
    ("reason", "原因"),
    ("running", "进行中"),
    ("finished", "已完成"),
    ("points", "分"),
    ("All games", "全部"),
    ("Ratings", "等级分"),
    ("Cross table", "对阵表"),
    (
        "rating with its 95 % error bar; points: 2 for a win, 1 for a draw",
        "等级分与 95 % 误差；胜一局得 2 分，和棋 1 分",
    ),
    (
        "row against column: points out of those possible, 2 for a win, 1 for a draw",
        "行对列：得分/满分，胜一局得 2 分，和棋 1 分",
    ),
    ("score", "得分率"),
    ("wins", "胜"),
    ("draws", "和"),
    ("losses", "负"),
    ("First", "先手"),
    ("Second", "后手"),
    ("First won", "先手胜"),
    ("Second won", "后手胜"),
    ("draw", "和棋"),
    ("no result", "无结果"),
    ("unfinished", "未完成"),
    ("any", "不限"),
    ("Show", "显示"),
    ("turns", "着法"),
    ("time", "用时"),
    ("date", "日期"),
    ("previous", "上一页"),
    ("next", "下一页"),
    ("No game fits.", "没有符合条件的对局。"),
    ("Lost by a fault", "因故障判负"),
    ("rules", "按规则"),
    ("illegal", "违规"),
    ("crash", "崩溃"),
    ("disconnect", "断开"),
    ("stall", "无响应"),
    ("resign", "认输"),
    ("agreed-win", "双方判胜"),
    ("agreed-draw", "双方判和"),
    ("length", "达到手数上限"),
    ("proof", "证明"),
    ("recorded", "棋谱所载"),
    ("first side", "先手方"),
    ("average", "平均"),
    ("Start", "开局"),
    ("Back", "后退"),
    ("Forward", "前进"),
    ("End", "终局"),
    ("Play", "对弈"),
    ("Play through", "自动播放"),
    ("Turning points by size", "转折（按大小）"),
    ("for First", "先手视角"),
    ("for First ({0})", "先手（{0}）视角"),
    ("win {0}", "{0} 步胜"),
    ("loss {0}", "{0} 步负"),
    ("corrections at the desk:", "对局台更正次数："),
    ("Engine's line", "引擎的变化"),
    (", l line", "，l 变化"),
    ("Position", "局面"),
    ("Engines' scores", "引擎评分"),
    ("time per turn", "每手用时"),
    ("depth", "深度"),
    ("nodes", "节点"),
    ("line", "变化"),
    ("to move", "走棋"),
    ("wins the game", "胜"),
    ("opening", "开局"),
    ("Export", "导出"),
    (
        "keys: ← → step, Home End, space plays, s turning points",
        "按键：← → 前后，Home End 首尾，空格播放，s 转折",
    ),
    ("Not found", "未找到"),
    ("There is nothing at this address.", "此地址没有内容。"),
    ("Something is wrong", "出错了"),
    ("By game", "各棋种"),
    ("share of the points", "得分率"),
    ("W–D–L", "胜–和–负"),
    ("Desk", "对局台"),
    ("Analysis", "分析"),
    ("Conversation", "通信记录"),
    (
        "the game has gone on since this page showed it, expected an entry for what it shows now",
        "对局在本页显示之后已有变化，请按现在的局面输入",
    ),
    (
        "The last lines to the engine at fault (>) and from it (<), with the seconds since its start.",
        "发给出错引擎的最后几行（>）与其输出（<），数字为引擎启动后的秒数。",
    ),
    ("Games that ended by a fault", "因故障结束的对局"),
    ("Analyse this position", "分析此局面"),
    ("Another engine", "添加引擎"),
    ("Variations", "变化"),
    ("Remove the variation", "删除变化"),
    ("Search", "搜索"),
    ("Stop", "停止"),
    ("line on the board", "在棋盘上显示变化"),
    (
        "what the engine says; the moves that it names are marked on the board",
        "引擎的说明；其中提到的着法标在棋盘上",
    ),
    (
        "keys: ← → step, ↑ ↓ other variation, Home End, space starts and stops the engine",
        "按键：← → 前后，↑ ↓ 切换变化，Home End 首尾，空格启停引擎",
    ),
    ("New game", "新对局"),
    ("you play", "您执"),
    ("You", "您"),
    ("by lot", "抽签"),
    ("strength", "强度"),
    ("beginner", "入门"),
    ("easy", "容易"),
    ("medium", "中等"),
    ("hard", "困难"),
    ("strong", "强"),
    ("very strong", "很强"),
    ("own", "自定"),
    ("seconds a turn", "每手时间（秒）"),
    ("depth, plies", "深度（层）"),
    ("no limit", "不限"),
    ("random actions, %", "随机着法（%）"),
    ("Hint", "提示"),
    ("failed:", "故障："),
    ("Restart the engine", "重启引擎"),
    ("Step through the game", "回放本局"),
    ("Take back", "悔棋"),
    ("all amazons blocked", "亚马逊全部无法移动"),
    ("board full", "棋盘已满"),
    ("three in a row", "三子连线"),
    ("five in a row", "五子连珠"),
    ("six in a row", "六子连珠"),
    ("more than half of the boxes", "占得过半格子"),
    ("all edges drawn, equal boxes", "边已连满，格数相等"),
    ("all edges drawn, more boxes", "边已连满，格数较多"),
    ("blue has no pieces left", "蓝方棋子全失"),
    ("red has no pieces left", "红方棋子全失"),
    ("red reached e1", "红方到达e1"),
    ("blue reached a5", "蓝方到达a5"),
    ("both passed", "双方停手"),
    ("three-three, claimed", "三三禁手，被指出"),
    ("four-four, claimed", "四四禁手，被指出"),
    ("overline, claimed", "长连禁手，被指出"),
    ("three-three", "三三禁手"),
    ("four-four", "四四禁手"),
    ("overline", "长连禁手"),
    ("resigns", "认输"),
    ("the time is over", "超时"),
    ("chain from left to right", "左右连通"),
    ("chain from top to bottom", "上下连通"),
    ("no pieces left", "棋子全失"),
    ("no legal move", "无合法着法"),
    ("threefold repetition, pieces counted", "三次重复，数子判定"),
    (
        "too long without a capture, pieces counted",
        "长时间无吃子，数子判定",
    ),
    ("New session", "新场次"),
    ("Sessions", "对局列表"),
    ("None yet.", "暂无。"),
    ("goes on", "未结束"),
    ("Without a turn", "尚未走棋"),
    ("Remove", "删除"),
    ("minutes a side", "每方时间（分钟）"),
    ("dice", "骰子"),
    ("die", "骰子"),
    ("rolled by the program", "程序掷骰"),
    ("entered by the operator", "操作员输入"),
    ("Begin", "开始"),
    ("played by", "执棋者"),
    ("a person", "人"),
    ("Operator", "操作员"),
    ("Engine", "引擎"),
    ("operator", "操作员"),
    ("other actions", "其他操作"),
    ("Enter", "输入"),
    ("Move now", "立即走棋"),
    ("Correct", "更正"),
    ("Corrections", "更正记录"),
    ("Pause", "暂停"),
    ("Resume", "继续"),
    (
        "The program did not run for {time}; no clock ran.",
        "程序停止运行了 {time}，期间双方均未计时。",
    ),
    ("Charge the time away", "计入停机时间"),
    ("Charge {time} to {name}", "将 {time} 计入{name}的用时"),
    (
        "no time away, expected it right after the program was started again",
        "没有停机时间：仅在程序重新启动后可计入",
    ),
    ("Resign", "认输"),
    ("Claim the flag", "超时判负"),
    ("Next game", "下一局"),
    ("Save record", "保存棋谱"),
    ("The record is saved.", "棋谱已保存。"),
    ("to roll", "掷骰"),
    ("thinking …", "思考中……"),
    (
        "This game was given up; the league may play it again.",
        "本局已中止；联赛可能重新进行。",
    ),
    (
        "The engine has failed too often: enter its turn, or start it again.",
        "引擎多次故障：请输入其着法，或重新启动。",
    ),
    ("The server does not answer.", "服务器没有响应。"),
    ("swap", "交换"),
    ("pass", "停一手"),
    ("claim", "指出禁手"),
    ("Openings", "开局库"),
    ("Use of time", "用时"),
    ("Slowest turns", "最慢的着法"),
    ("longest", "最长"),
    ("least left at the end", "终局最少剩余"),
    (
        "mean time of an engine's turns, by their number",
        "引擎各手平均用时",
    ),
    ("turn", "着法"),
    ("left", "剩余"),
    ("search", "搜索"),
    ("close", "关闭"),
    ("Amazons", "亚马逊棋"),
    ("Surakarta", "苏拉卡尔塔棋"),
    ("Connect6", "六子棋"),
    ("Hex", "海克斯棋"),
    ("Dots and Boxes", "点格棋"),
    ("EinStein würfelt nicht!", "爱恩斯坦棋"),
    ("Gomoku", "五子棋"),
    ("Tic-tac-toe", "井字棋"),
    ("black", "黑"),
    ("white", "白"),
    ("red", "红"),
    ("blue", "蓝"),
    ("crosses", "叉"),
    ("noughts", "圈"),
    ("type a turn, or click on the board", "输入着法，或点击棋盘"),
    ("chosen by", "走棋者"),
    ("Confirm the engine's turn", "确认引擎着法"),
    ("Confirm the resignation", "确认认输"),
    ("I have played {turn} on the board", "已在棋盘上走 {turn}"),
    ("Start the clocks", "启动计时"),
    ("Cancel the entry", "取消输入"),
    ("the game is over", "本局已结束"),
    ("The clocks are stopped.", "计时已停止。"),
    (
        "The clocks are stopped: start them first.",
        "计时已停止：请先启动计时。",
    ),
    (
        "{place} is taken, or not allowed now.",
        "{place} 已被占，或此时不可走。",
    ),
    ("{turn} withdrawn", "{turn} 已撤回"),
    (", {turn} played", "，改走 {turn}"),
    (
        "The result or the engine's turn is withdrawn.",
        "结果或引擎的着法已撤回。",
    ),
    (
        "Reopen the finished game? Its saved record is then outdated, and the clocks stay stopped.",
        "重新打开已结束的对局？已保存的棋谱将失效，计时保持停止。",
    ),
    (
        "The record is saved. Its header lacks the event or the place.",
        "棋谱已保存。其表头缺少赛事或地点。",
    ),
    ("outdated", "已失效"),
    ("resigned", "认输"),
    ("lost on time", "超时"),
    ("wins in {n} plies", "{n} 步内取胜"),
    ("wins at once", "立即取胜"),
    ("loses at once", "立即落败"),
    ("Opponent", "对手"),
    ("The clocks are set back.", "计时已恢复。"),
    ("{name} loses on time?", "判 {name} 超时负？"),
    (
        "{name} is out of time: claim the flag, or play on.",
        "{name} 已超时：可判超时负，或继续。",
    ),
    ("loses in {n} plies", "{n} 步内落败"),
    ("about even", "大致均势"),
    ("slightly ahead", "略优"),
    ("slightly behind", "略劣"),
    ("ahead", "占优"),
    ("behind", "落后"),
    ("far ahead", "大优"),
    ("far behind", "大劣"),
    (": ", "："),
    ("Turns", "着法"),
    ("Rules", "规则"),
    ("as in the contest", "按比赛规则"),
    ("changed", "已修改"),
    ("yes", "是"),
    ("no", "否"),
    ("size", "棋盘大小"),
    ("columns", "列数"),
    ("rows", "行数"),
    ("first", "先手的棋子"),
    ("second", "后手的棋子"),
    ("quiet limit", "无吃子手数上限，0为不限"),
    ("repetition", "三次重复即终局"),
    ("stop at majority", "过半即终局"),
    ("exactly five", "必须恰好五子"),
    ("forbidden", "禁手"),
    ("first colour", "先手颜色"),
    ("layouts", "布局"),
    ("Anywhere, no swap", "任意落子，不交换"),
    ("Second may swap the first stone", "后手可交换第一子"),
    ("The stone is mirrored", "棋子对称换位"),
    ("The players change colours", "双方交换颜色"),
    (
        "The contest's openings, swap and offer",
        "指定开局，三手交换，五手N打",
    ),
    ("A forbidden move loses at once", "禁手立即判负"),
    ("A forbidden move loses if claimed", "禁手被指出判负"),
    ("Nothing is forbidden", "无禁手"),
    ("Red, from the upper left", "红，左上角出发"),
    ("Blue, from the lower right", "蓝，右下角出发"),
    ("Swap sides", "交换先后手"),
    ("mode", "方式"),
    ("Free game", "自由对局"),
    ("Contest", "比赛"),
    (
        "The first clock starts at once, an engine's turn counts at once, and turns may be taken back.",
        "先手立即计时，引擎着法立即生效，可以悔棋。",
    ),
    (
        "The clocks wait for you, you confirm each turn of an engine on the board, and corrections are listed.",
        "由您启动计时，逐手确认引擎着法，更正均有记录。",
    ),
    ("event, for the record", "赛事（写入棋谱）"),
    ("place, for the record", "地点（写入棋谱）"),
    ("the strongest for the game", "该棋种最强"),
    ("alpha-beta search", "α-β搜索"),
    (
        "alpha-beta search of promising turns",
        "只搜索较优着法的α-β搜索",
    ),
    ("Monte Carlo tree search", "蒙特卡洛树搜索"),
    ("looks one action ahead", "只看一步"),
    ("any legal action", "随机合法着法"),
    ("Desk games", "对局台的对局"),
    ("stopped", "已停止"),
    ("{0} of {1} games", "{0} / {1} 局"),
    (", {0} of {1} games", "，{0} / {1} 局"),
    ("1 game|{0} games", "1 局|{0} 局"),
    ("1 engine|{0} engines", "1 个引擎|{0} 个引擎"),
    (
        "1 game repeats another|{0} games repeat another",
        "1 局与另一局着法相同|{0} 局与另一局着法相同",
    ),
    ("average {0} turns, {1} s", "平均 {0} 手，{1} 秒"),
    (" and ", "、"),
    (", ", "，"),
    (
        "{0} is first with {1} of the points.",
        "{0} 居首，得分率 {1}。",
    ),
    (
        "{0} leads with {1} of the points.",
        "{0} 领先，得分率 {1}。",
    ),
    (
        "{0} are tied with {1} of the points each.",
        "{0} 并列第一，得分率均为 {1}。",
    ),
    (
        "{0} is almost certainly stronger than {1}: likelihood {2} (LOS), from {3}.",
        "{0} 几乎肯定强于 {1}：优势概率（LOS）{2}，依据 {3}。",
    ),
    (
        "{0} is very likely stronger than {1}: likelihood {2} (LOS), from {3}.",
        "{0} 很可能强于 {1}：优势概率（LOS）{2}，依据 {3}。",
    ),
    (
        "{0} is probably stronger than {1}: likelihood {2} (LOS), from {3}.",
        "{0} 大概强于 {1}：优势概率（LOS）{2}，依据 {3}。",
    ),
    (
        "It is open whether {0} is stronger than {1}: likelihood {2} (LOS), from {3}.",
        "尚不能断定 {0} 强于 {1}：优势概率（LOS）{2}，依据 {3}。",
    ),
    (
        "1 pair of games with sides exchanged|{0} pairs of games with sides exchanged",
        "1 对换先对局|{0} 对换先对局",
    ),
    (
        "{0}, {1} pairs with sides exchanged among them",
        "{0}，其中 {1} 对换先对局",
    ),
    (
        "Nothing failed: no crash, no loss on time, no illegal turn.",
        "没有故障：无崩溃、无超时、无违规着法。",
    ),
    ("contest record", "比赛棋谱"),
    ("SAU platform", "SAU 平台"),
    ("list of moves", "着法列表"),
    ("numbered turns", "编号着法"),
    ("table (CSV)", "表格（CSV）"),
    ("line of the log (JSON)", "日志行（JSON）"),
    ("lost by", "负方"),
    ("out of time", "超时"),
    ("upset", "爆冷"),
    (
        "The winner is rated below the loser.",
        "胜方的等级分低于负方。",
    ),
    ("repeat", "重复"),
    ("The same turns as", "着法同"),
    ("decided", "裁定"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The texts that begin a call of `say`, `tell` or `count` in the sources and scripts.
    fn said() -> BTreeSet<String> {
        let mut texts = BTreeSet::new();
        for folder in ["src", "src/live", "src/site", "assets"] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
            for file in fs::read_dir(folder).unwrap() {
                let Ok(text) = fs::read_to_string(file.unwrap().path()) else {
                    continue;
                };
                for call in ["say", "tell", "count"] {
                    for part in text.split(&format!("{call}(")).skip(1) {
                        let quoted = part.trim_start().strip_prefix('"');
                        let said = quoted.and_then(|part| part.split('"').next());
                        texts.extend(said.map(str::to_owned));
                    }
                }
            }
        }
        texts.remove("` and `");
        texts
    }

    #[test]
    fn every_text_of_the_pages_has_its_chinese() {
        let said = said();
        assert!(said.len() > 20);
        let missing: Vec<_> = said.iter().filter(|text| chinese(text).is_none()).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn every_level_has_its_chinese() {
        for level in referee_core::desk::Level::ALL {
            assert!(chinese(level.name).is_some(), "{}", level.name);
        }
    }

    #[test]
    fn every_game_has_its_chinese_name_and_colours() {
        for rules in catalog::GAMES {
            for word in rules.colours().into_iter().chain([rules.name()]) {
                assert!(chinese(word).is_some(), "{word}");
            }
        }
    }

    #[test]
    fn every_ending_has_its_chinese() {
        for rules in catalog::GAMES {
            let mut rng = engine_core::Rng::new(1);
            for _ in 0..20 {
                let mut game = rules.start(&serde_json::json!({})).unwrap();
                while game.outcome().is_none() {
                    let actions = game.actions();
                    let action = &actions[rng.below(actions.len() as u32) as usize];
                    game.play_words(action).unwrap();
                }
                assert!(chinese(game.ending()).is_some(), "{}", game.ending());
            }
        }
    }

    #[test]
    fn the_table_has_each_word_once() {
        let words: BTreeSet<_> = WORDS.iter().map(|(english, _)| english).collect();
        assert_eq!(words.len(), WORDS.len());
    }
}
