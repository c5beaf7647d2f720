#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wheelspin_fuzz::read_openai_chat(bytes));
