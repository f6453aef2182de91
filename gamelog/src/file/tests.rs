use super::*;

const LINE: &[u8] = b"{\"a\": 1}\n";

/// A log of two lines in a folder of its own.
fn log() -> (tempfile::TempDir, LogFile) {
    let folder = tempfile::tempdir().unwrap();
    let mut log = LogFile::open(folder.path().join("games.jsonl")).unwrap();
    log.append(LINE).unwrap();
    log.append(LINE).unwrap();
    (folder, log)
}

/// The error after a change, and the content of the file.
fn complaint(log: &mut LogFile) -> (String, Option<Vec<u8>>) {
    let error = log.append(LINE).unwrap_err();
    assert!(matches!(error, AppendError::Changed(_)), "{error}");
    (error.to_string(), fs::read(&log.path).ok())
}

#[test]
fn a_log_that_somebody_else_writes_is_not_changed() {
    let two = [LINE, LINE].concat();
    let (_folder, mut log) = log();
    fs::write(&log.path, LINE).unwrap();
    let (message, left) = complaint(&mut log);
    assert!(
        message.ends_with("while the league ran: 9 bytes, expected 18"),
        "{message}"
    );
    assert_eq!(left.as_deref(), Some(LINE));

    fs::write(&log.path, [&two, &b"more"[..]].concat()).unwrap();
    let (message, left) = complaint(&mut log);
    assert!(message.ends_with("22 bytes, expected 18"), "{message}");
    assert_eq!(left.unwrap().len(), 22);

    // Unchanged: appending works again.
    fs::write(&log.path, &two).unwrap();
    log.append(LINE).unwrap();
}

#[test]
fn a_replaced_or_deleted_log_is_not_written() {
    let (folder, mut log) = log();
    let other = folder.path().join("other");
    fs::copy(&log.path, &other).unwrap();
    fs::rename(&other, &log.path).unwrap();
    let (message, left) = complaint(&mut log);
    assert!(message.ends_with("replaced by another file"), "{message}");
    assert_eq!(left.unwrap(), [LINE, LINE].concat());
    fs::remove_file(&log.path).unwrap();
    let (message, left) = complaint(&mut log);
    assert!(message.contains("No such file"), "{message}");
    assert_eq!(left, None);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported() {
    let mut log = LogFile {
        path: "/dev/full".into(),
        file: OpenOptions::new().append(true).open("/dev/full").unwrap(),
        length: 0,
        opened: 0,
        appended: Ok(spooled_tempfile(MAX_IN_MEMORY)),
        syncer: Syncer::new(|| Ok(())),
    };
    let error = log.append(LINE).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("cannot be written: No space left"),
        "{error}"
    );
    assert!(write_beside(Path::new("/dev/full/games.jsonl"), "broken", LINE).is_err());
}

#[test]
fn only_a_regular_file_can_be_a_log() {
    let folder = tempfile::tempdir().unwrap();
    let message = |name: &str| {
        let error = LogFile::open(folder.path().join(name)).unwrap_err();
        error.to_string()
    };
    fs::create_dir(folder.path().join("folder")).unwrap();
    assert!(message("folder").ends_with("folder: not a file, expected a log, or none yet"));
    std::os::unix::fs::symlink("/dev/full", folder.path().join("device")).unwrap();
    assert!(message("device").ends_with("device: a symbolic link, expected a log, or none yet"));
    assert!(message("none/log").contains("No such file"));
}

#[test]
fn the_games_of_a_changed_log_are_saved() {
    let (folder, log) = log();
    drop(log);
    let kept = |log: &mut LogFile| {
        let (path, whole) = log.save_copy().unwrap();
        (fs::read(path).unwrap(), whole)
    };
    let mut log = LogFile::open(folder.path().join("games.jsonl")).unwrap();
    log.append(LINE).unwrap();
    fs::remove_file(&log.path).unwrap();
    complaint(&mut log);
    assert_eq!(
        kept(&mut log),
        (LINE.repeat(4), true),
        "of the removed file"
    );

    log = LogFile::open(log.path.clone()).unwrap();
    log.append(LINE).unwrap();
    drop(log);
    let mut log = LogFile::open(folder.path().join("games.jsonl")).unwrap();
    log.append(LINE).unwrap();
    fs::write(&log.path, "").unwrap();
    complaint(&mut log);
    assert_eq!(kept(&mut log), (LINE.repeat(2), false), "of this run");
}
