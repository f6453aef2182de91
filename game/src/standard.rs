//! Typical positions of a game, used by `compare` and `bench`.

/// The typical positions of a game and the depths to search them to.
#[derive(Clone, Copy, Debug)]
pub struct Standard {
    /// Positions of the contest variant in the format of [`positions`]: opening, middle game and
    /// endgame, always with a player to act.
    pub text: &'static str,
    /// Depth in plies for comparing algorithms that search all moves: `pvs` takes at most one
    /// second for all positions.
    pub depth: u32,
    /// Depth of the bench, which searches with the game's engine settings: some seconds for all
    /// positions.
    pub bench_depth: u32,
}

impl Standard {
    /// No positions.
    pub const NONE: Standard = Standard {
        text: "",
        depth: 1,
        bench_depth: 1,
    };
}

/// The positions in a text, each with its line number, from 1, and the number of columns before it.
/// Every line holds one position in the game's notation; empty lines and lines that begin with `#`
/// are skipped.
pub fn positions(text: &str) -> impl Iterator<Item = (usize, usize, &str)> {
    let lines = text.lines().enumerate();
    let indented = lines.map(|(index, line)| {
        let position = line.trim_start();
        let columns = line.chars().count() - position.chars().count();
        (index + 1, columns, position.trim_end())
    });
    indented.filter(|(_, _, position)| !position.is_empty() && !position.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::positions;

    #[test]
    fn comments_and_empty_lines_are_skipped() {
        let text = "# two\n\na b\r\n  # no\n  c \n";
        let found: Vec<_> = positions(text).collect();
        assert_eq!(found, [(3, 0, "a b"), (5, 2, "c")]);
        assert_eq!(positions("").count(), 0);
    }
}
