//! The competition entry for Connect6.

fn main() -> std::process::ExitCode {
    entry::run::<connect6::Connect6>()
}
