//! The competition entry for Dots and Boxes.

fn main() -> std::process::ExitCode {
    entry::run::<dots_and_boxes::DotsAndBoxes>()
}
