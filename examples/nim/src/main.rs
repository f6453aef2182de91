//! The competition entry for Nim.

fn main() -> std::process::ExitCode {
    entry::run::<nim::Nim>()
}
