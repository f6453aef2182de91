//! The Chinese of what pages say of results: sequential tests, pairs, games that repeat.

/// English and Chinese.
pub(super) const STATISTICS: &[(&str, &str)] = &[
    (
        "Engines that answer alike every time played {0} of {1} games again, move for move. Those count for the points, not in ratings and error bars.",
        "应对每次都相同的引擎把 {1} 局中的 {0} 局逐手重下了一遍。这些对局计入积分，不计入等级分与误差。",
    ),
    (
        "In {0} of {1} pairs the same side won both games (First {2}, Second {3}): there the side decided, not the engine.",
        "{1} 对中有 {0} 对的两局由同一方获胜（先手 {2}，后手 {3}）：决定胜负的是先后手，而不是引擎。",
    ),
    (
        "{0} of {1} pairs tie. Of the others {2} won {3}, {4} {5}: exact sign test {6}.",
        "{1} 对中有 {0} 对打平。其余各对中 {2} 胜 {3} 对，{4} 胜 {5} 对：精确符号检验 {6}。",
    ),
    ("few games", "对局太少"),
    ("test decided", "检验已判定"),
    ("Test (SPRT)", "检验（SPRT）"),
    (
        "Is {0} better than {1} by {3} {4} (H1) rather than by {2} (H0)? Not decided yet.",
        "{0} 比 {1} 强 {3} {4}（H1），还是强 {2}（H0）？尚未判定。",
    ),
    (
        "{0} is better than {1} by {3} {4} rather than by {2}: H1 was accepted.",
        "{0} 比 {1} 强 {3} {4}，而不是 {2}：接受 H1。",
    ),
    (
        "{0} is better than {1} by {2} {4} rather than by {3}: H0 was accepted.",
        "{0} 比 {1} 强 {2} {4}，而不是 {3}：接受 H0。",
    ),
    ("normalized Elo", "归一化 Elo"),
    (
        "log-likelihood ratio after each observation",
        "每次观测后的对数似然比",
    ),
    (
        "LLR {0}; errors of {1} and {2} at most",
        "对数似然比 {0}；两类错误至多 {1} 与 {2}",
    ),
    (
        "Elo {0}, 95 % from {1} to {2}, where it counts that the test ended when it decided",
        "Elo {0}，95 % 区间 {1} 至 {2}（已计入检验在判定时结束）",
    ),
    (
        "Elo {0} ± {1} by the score alone",
        "仅按得分：Elo {0} ± {1}",
    ),
    (
        "{0} pairs by points 0–½–1–1½–2: {1}",
        "{0} 对，按得分 0–½–1–1½–2：{1}",
    ),
    (
        "decisive pairs {0}–{1}: exact sign test {2}",
        "分出胜负的对局组 {0}–{1}：精确符号检验 {2}",
    ),
];
