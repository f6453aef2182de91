//! The competition entry for Surakarta.

fn main() -> std::process::ExitCode {
    entry::run::<surakarta::Surakarta>()
}
