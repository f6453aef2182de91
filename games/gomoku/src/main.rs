//! The competition entry for Gomoku.

fn main() -> std::process::ExitCode {
    entry::run::<gomoku::Gomoku>()
}
