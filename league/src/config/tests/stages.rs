//! Stages of league files.

use super::*;

#[test]
fn stage_errors_name_their_lines() {
    let expect = |to: &str, expected: &str| {
        let complaint = complaint("rounds = 2", to);
        assert_eq!(complaint, format!("dir/x.toml:{expected}"), "{to:?}");
    };
    expect(
        "format = \"league\"",
        "4: unknown variant `league`, expected one of `round-robin`, `gauntlet`, `match`, \
         `series`, `swiss`, `knockout`",
    );
    expect(
        "format = \"swiss\"",
        "4: a Swiss without rounds, expected the number of rounds",
    );
    expect(
        "format = \"knockout\"\nrounds = 1",
        "5: rounds of a knockout, expected none: it ends with one winner",
    );
    expect(
        "meeting = \"game\"",
        "4: meeting, expected only in a series, Swiss or knockout",
    );
    expect(
        "format = \"series\"\nmeeting = { wins = 0 }",
        "5: meeting 0, expected 1 to 1000",
    );
    expect(
        "format = \"gauntlet\"\nchallengers = [\"nobody\"]",
        "5: challenger \"nobody\", expected an engine's name",
    );
    expect(
        "challengers = [\"pvs\"]",
        "4: challengers, expected only in a gauntlet",
    );
    expect(
        "format = \"knockout\"\ntie_breaks = [\"wins\"]",
        "5: a tie-break without games, expected \"rapid\", \"lot\" or both in a knockout",
    );
    expect(
        "tie_breaks = [\"wins\", \"wins\"]",
        "4: a tie-break twice, expected each once",
    );
    expect(
        "groups = 2",
        "4: 2 engines in hex, groups 2, expected two or more in each",
    );
    let groups = "[[stage]]\nname = \"groups\"\nadvance = 1\n";
    let last = "[[stage]]\nname = \"final\"\n";
    let stages = |first: &str, second: &str, expected: &str| {
        let text = LEAGUE
            .replace("rounds = 2\n", "")
            .replace("[clock]", &format!("{first}{second}[clock]"));
        assert_eq!(parse(&text).unwrap_err(), format!("dir/x.toml:{expected}"));
    };
    stages(
        &groups.replace("groups", ""),
        last,
        "7: name \"\", expected 1 to 64 letters, digits and any of - _ . +, the first a letter or \
         a digit",
    );
    stages(
        &groups.replace("advance = 1\n", ""),
        last,
        "6: no advance, expected how many of each group advance",
    );
    stages(
        groups,
        groups,
        "11: advance in the last stage, expected only in earlier stages",
    );
    stages(
        groups,
        "[[stage]]\nname = \"groups\"\n",
        "10: name \"groups\" twice, expected another name",
    );
    stages(
        groups,
        last,
        "9: 1 engines in hex, groups 1, expected two or more in each",
    );
    stages(
        &groups.replace("advance = 1", "advance = 3"),
        last,
        "8: advance 3, expected 1 to 2 in hex",
    );
    stages(
        &groups.replace("advance = 1", "advance = 2"),
        &format!("{last}seeding = \"random\"\n"),
        "11: seeding of a later stage, expected none: it uses the ranks of the stage before",
    );
    let both = LEAGUE.replace("[clock]", &format!("{groups}{last}[clock]"));
    assert_eq!(
        parse(&both).unwrap_err(),
        "dir/x.toml:4: rounds in [league] with [[stage]], expected it in the stages"
    );
}

#[test]
fn every_key_of_a_stage_is_read() {
    for key in stage::KEYS {
        // A value that is invalid for every key.
        let text = LEAGUE.replace("rounds = 2", &format!("{key} = 1.5"));
        let message = parse(&text).expect_err(key);
        assert!(message.starts_with("dir/x.toml:4: "), "{message}");
    }
}
