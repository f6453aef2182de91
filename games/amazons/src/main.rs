//! The competition entry for Amazons.

fn main() -> std::process::ExitCode {
    entry::run::<amazons::Amazons>()
}
