#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::check(records::Format::Sau, data));
