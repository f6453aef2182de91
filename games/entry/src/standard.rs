//! Typical positions of a game, on which algorithms are compared and the bench runs.

/// What a game ships for that.
#[derive(Clone, Copy, Debug)]
pub struct Standard {
    /// Positions of the contest's variant, as [`positions`] reads them: openings, middle games and
    /// endings in which a player acts.
    pub text: &'static str,
    /// Depth, plies, to which algorithms that look at all moves are compared: `pvs` takes at most a
    /// second for all positions.
    pub depth: u32,
    /// Depth of the bench, which searches as the game's engines do: some seconds for all positions.
    pub bench_depth: u32,
}

/// The positions of a text, each with the number of its line, from 1, and the columns before it: one a
/// line in the game's notation, beside empty lines and lines that begin with `#`.
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
    fn comments_and_empty_lines_are_passed_over() {
        let text = "# two\n\na b\r\n  # no\n  c \n";
        let found: Vec<_> = positions(text).collect();
        assert_eq!(found, [(3, 0, "a b"), (5, 2, "c")]);
        assert_eq!(positions("").count(), 0);
    }
}
