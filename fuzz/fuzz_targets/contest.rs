#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::check(entry::record::Format::Contest, data));
