//! The entry for tic-tac-toe.

fn main() -> std::process::ExitCode {
    entry::run::<tic_tac_toe::TicTacToe>()
}
