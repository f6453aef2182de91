//! The competition entry for Hex.

fn main() -> std::process::ExitCode {
    entry::run::<hex::Hex>()
}
