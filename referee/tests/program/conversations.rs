//! What was said in a game that went wrong is kept, and shown wherever the game is.

use std::fs;
use std::path::Path;

use gamelog::record::{GameRecord, Reason};

use crate::common::program::{folder_with, games, run, text};
use crate::common::served::Served;

/// A fault for each reason, by the argument of the test engine, and what stands in its conversation.
const FAULTS: [(&str, Reason, &str); 5] = [
    ("late", Reason::Time, "> go "),
    ("no-handshake", Reason::Stall, "> ugi\n"),
    ("illegal", Reason::Illegal, "< bestmove zz99\n"),
    ("exit", Reason::Crash, "> go "),
    ("close-output", Reason::Disconnect, "> go "),
];

/// A league of Hex in which every engine with a fault plays the sound one.
fn league() -> String {
    let program = env!("CARGO_BIN_EXE_test-engine");
    let faulty = FAULTS.map(|(fault, reason, _)| {
        // Enough for a busy machine, where the time does not make the fault.
        let limits = match reason {
            Reason::Time => "clock = { move = \"1s\" }\n",
            Reason::Stall => "start_up = \"2s\"\n",
            _ => "",
        };
        format!(
            "[[engine]]\nname = \"{fault}\"\ncommand = [\"{program}\", \"{fault}\", \"1\"]\n{limits}"
        )
    });
    format!(
        "[league]\nname = \"faults\"\ngames = [\"hex\"]\nformat = \"gauntlet\"\nseed = 1\n\
         [clock]\nmove = \"60s\"\n[variant.hex]\nsize = 3\n\
         [[engine]]\nname = \"sound\"\nbuiltin = \"random\"\n{}",
        faulty.concat()
    )
}

/// The conversation of a game, from its file.
fn kept(out: &Path, game: &GameRecord) -> Option<String> {
    fs::read_to_string(out.join(format!("conversations/{}.txt", game.id))).ok()
}

#[test]
fn conversations_of_games_with_faults_are_kept_and_shown() {
    let folder = folder_with(&league());
    let folder = folder.path();
    let played = run(folder, &["league", "league.toml", "--anyway"]);
    assert!(played.status.success(), "{}", text(&played.stderr));
    let out = folder.join("matches/faults");
    let games = games(&out);
    for (fault, reason, line) in FAULTS {
        let of_it = |game: &&GameRecord| game.first.name == fault || game.second.name == fault;
        let lost: Vec<&GameRecord> = games.iter().filter(of_it).collect();
        assert!(
            lost.len() == 2 && lost.iter().all(|game| game.reason == reason),
            "{lost:?}"
        );
        for game in lost {
            let said = kept(&out, game).unwrap_or_else(|| panic!("{fault}: nothing is kept"));
            assert!(said.contains(line), "{fault}: {said}");
            assert!(said.contains(" > ugi\n"), "{fault}: {said}");
            let answers = fault == "no-handshake" || said.contains(" < ugiok\n");
            assert!(answers, "{fault}: {said}");
            let replay = run(folder, &["replay", "matches/faults", &game.id]);
            assert!(
                text(&replay.stdout).ends_with(&*said),
                "{}",
                text(&replay.stdout)
            );
        }
    }
    let html = run(
        folder,
        &["report", "matches/faults", "--html", "report.html"],
    );
    assert!(html.status.success(), "{}", text(&html.stderr));
    let report = fs::read_to_string(folder.join("report.html")).expect("a report");
    assert_eq!(report.matches("<pre class=\"conversation\"").count(), 10);
    let illegal = games.iter().find(|game| game.reason == Reason::Illegal);
    let id = &illegal.expect("a game").id;
    let page = Served::start(folder).get(&format!("/game/faults/{id}"), "");
    for page in [page.body, report] {
        assert!(page.contains("&lt; bestmove zz99\n"), "{page}");
        assert!(page.contains("&gt; ugi\n"), "{page}");
    }
}

#[test]
fn sound_games_keep_no_conversation() {
    let sound = league().replace("format = \"gauntlet\"\n", "");
    let (head, _) = sound
        .split_once("[[engine]]\nname = \"late\"")
        .expect("an engine");
    let league = format!("{head}[[engine]]\nname = \"other\"\nbuiltin = \"random\"\n");
    let folder = folder_with(&league);
    assert!(
        run(folder.path(), &["league", "league.toml"])
            .status
            .success()
    );
    assert!(!folder.path().join("matches/faults/conversations").exists());
}
