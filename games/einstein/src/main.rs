//! The competition entry for EinStein würfelt nicht!.

fn main() -> std::process::ExitCode {
    entry::run::<einstein::Einstein>()
}
