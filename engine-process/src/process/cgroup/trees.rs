//! The trees of control groups, and where in them this process may make groups.

use std::fs;
use std::path::{Path, PathBuf};

use rustix::fs::Access;

use super::PROCESSES;

/// What is limited.
const RESOURCES: [&str; 2] = ["memory", "pids"];

/// The groups that seem to let this process make groups under them, one in every tree.
pub(super) fn candidates() -> Vec<PathBuf> {
    let read = |file: &str| fs::read_to_string(file).unwrap_or_default();
    let (mounts, own) = (read("/proc/self/mountinfo"), read("/proc/self/cgroup"));
    let trees = trees(&mounts, &own).into_iter();
    trees.filter_map(|tree| tree.parent()).collect()
}

/// A tree of groups, and the group of this process in it.
#[derive(Debug, PartialEq, Eq)]
struct Tree {
    top: PathBuf,
    own: PathBuf,
    /// Whether it is that of version 2.
    unified: bool,
}

impl Tree {
    fn parent(&self) -> Option<PathBuf> {
        if !self.unified {
            return is_ours(&self.own).then(|| self.own.clone());
        }
        let above = self.own.ancestors();
        let mut ours = above.take_while(|group| group.starts_with(&self.top) && is_ours(group));
        let nearest = ours.next()?;
        let hands_on = [nearest]
            .into_iter()
            .chain(ours)
            .find(|group| hands_on(group));
        Some(hands_on.unwrap_or(nearest).to_owned())
    }
}

/// Whether this process may make groups under a group, and move itself into them.
fn is_ours(group: &Path) -> bool {
    [group, &group.join(PROCESSES)]
        .into_iter()
        .all(|path| rustix::fs::access(path, Access::WRITE_OK).is_ok())
}

/// Whether the groups under a group of version 2 have limits.
pub(super) fn hands_on(group: &Path) -> bool {
    let resources = fs::read_to_string(group.join("cgroup.subtree_control")).unwrap_or_default();
    let has = |name| resources.split_whitespace().any(|known| known == name);
    RESOURCES.into_iter().all(has)
}

/// The trees that can limit memory or processes, by what `/proc/self` has in `mountinfo` and in
/// `cgroup`.
fn trees(mounts: &str, own: &str) -> Vec<Tree> {
    mounts.lines().filter_map(|line| tree(line, own)).collect()
}

/// A line such as `31 24 0:27 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw,nsdelegate`.
fn tree(mount: &str, own: &str) -> Option<Tree> {
    let (place, kind) = mount.split_once(" - ")?;
    let mut place = place.split(' ').skip(3);
    let (root, top) = (place.next()?, place.next()?);
    let mut kind = kind.split(' ');
    let unified = match kind.next()? {
        "cgroup2" => true,
        "cgroup" => false,
        _ => return None,
    };
    let options = kind.nth(1)?;
    let limits = |resource: &str| RESOURCES.contains(&resource);
    let resource = options.split(',').find(|option| limits(option));
    if resource.is_none() && !unified {
        return None;
    }
    // A line such as `4:memory:/user` or, of version 2, `0::/user`.
    let group = own.lines().find_map(|line| {
        let (_, line) = line.split_once(':')?;
        let (resources, group) = line.split_once(':')?;
        let wanted = resource.unwrap_or_default();
        resources.split(',').any(|it| it == wanted).then_some(group)
    })?;
    let within = Path::new(group).strip_prefix(root).ok()?;
    Some(Tree {
        top: top.into(),
        own: Path::new(top).join(within),
        unified,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The group of the tree, if there is one tree.
    fn own(mounts: &str, own: &str) -> Option<String> {
        match &trees(mounts, own)[..] {
            [tree] => Some(tree.own.display().to_string()),
            _ => None,
        }
    }

    #[test]
    fn the_own_group_is_found_where_its_tree_is_mounted() {
        let unified =
            "31 24 0:27 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
        let user = "0::/user.slice/user-1000.slice/session-2.scope\n";
        let expected = "/sys/fs/cgroup/user.slice/user-1000.slice/session-2.scope";
        assert_eq!(own(unified, user).as_deref(), Some(expected));
        assert_eq!(own(unified, "0::/\n").as_deref(), Some("/sys/fs/cgroup/"));
        // A container that sees its own part of the tree only.
        let part = "31 24 0:27 /docker/7 /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
        assert_eq!(
            own(part, "0::/docker/7/a\n").as_deref(),
            Some("/sys/fs/cgroup/a")
        );
        assert_eq!(own(part, "0::/../8\n"), None);
        for nothing in [
            "",
            "31\n",
            "31 24 0:27 / - cgroup2\n",
            "1 2 3 / /proc rw - proc proc rw\n",
        ] {
            assert_eq!(own(nothing, user), None, "{nothing}");
        }
        assert_eq!(own(unified, ""), None);
    }

    #[test]
    fn version_1_has_a_tree_for_every_resource() {
        let mounts = "\
            1 2 0:1 / /c/cpu rw - cgroup cgroup rw,cpu,cpuacct\n\
            2 2 0:2 / /c/memory rw - cgroup cgroup rw,memory\n\
            3 2 0:3 / /c/pids rw - cgroup cgroup rw,pids\n\
            4 2 0:4 / /c/systemd rw - cgroup cgroup rw,xattr,name=systemd\n\
            5 2 0:5 / /c/unified rw - cgroup2 cgroup2 rw\n";
        let own = "9:name=systemd:/s\n8:pids:/p\n4:memory:/m:n\n1:cpu,cpuacct:/c\n0::/u\n";
        let found = trees(mounts, own);
        let groups: Vec<(&str, bool)> = found
            .iter()
            .map(|tree| (tree.own.to_str().unwrap(), tree.unified))
            .collect();
        let expected = [
            ("/c/memory/m:n", false),
            ("/c/pids/p", false),
            ("/c/unified/u", true),
        ];
        assert_eq!(groups, expected);
    }
}
