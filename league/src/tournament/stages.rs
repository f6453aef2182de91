//! The sequence of stages: groups, and who advances. Nothing else carries over to the next stage.

use super::group::{Bye, Group, Played, lot};
use super::meeting::Met;
use super::ranking::{Standing, rank};
use crate::config::{Config, Seeding, StageConfig};
use crate::fixture::{Ask, Entrant};

/// One group of a stage, in one game of a league.
#[derive(Debug)]
pub struct GroupTable {
    /// Index of its stage in the league file, from 0.
    pub stage: usize,
    /// Number of the group, from 1; 0 if the stage has only one.
    pub group: u32,
    /// Its entrants by seed, the first seed first.
    pub entrants: Vec<Entrant>,
    /// The ranking.
    pub standing: Standing,
    /// All meetings, tie-breaks last.
    pub meetings: Vec<Met>,
    /// Rounds in which an entrant had nobody to meet.
    pub byes: Vec<Bye>,
}

/// Asks for all games of one game of a league, stage by stage, as far as the entrants are known.
pub(super) fn play(config: &Config, game: usize, ask: &mut Ask<'_>) -> Vec<GroupTable> {
    let mut tables: Vec<GroupTable> = Vec::new();
    let mut opening = 0;
    for (index, stage) in config.stages.iter().enumerate() {
        let entrants = match index {
            0 => first_entrants(config, stage, game),
            _ => {
                let before = tables.iter().filter(|table| table.stage == index - 1);
                let may =
                    |entrant: Entrant| config.engines[entrant].attendance.may_advance(index - 1);
                let Some(entrants) = advanced(&config.stages[index - 1], before, may) else {
                    break;
                };
                entrants
            }
        };
        let group = |number: usize, entrants: Vec<Entrant>, opening| Group {
            config,
            stage,
            stage_index: index,
            number: if stage.groups > 1 {
                number as u32 + 1
            } else {
                0
            },
            game,
            entrants,
            opening,
            late_opening: 0,
        };
        let mut groups = Vec::new();
        for (number, entrants) in grouped(entrants, stage.groups).into_iter().enumerate() {
            let group = group(number, entrants, opening);
            opening += group.openings();
            groups.push(group);
        }
        for mut group in groups {
            group.late_opening = opening;
            opening += group.late_openings();
            tables.push(group.table(ask));
        }
    }
    tables
}

impl Group<'_> {
    fn table(self, ask: &mut Ask<'_>) -> GroupTable {
        let mut played: Played = self.play(ask);
        let standing = rank(&self, &mut played, ask);
        GroupTable {
            stage: self.stage_index,
            group: self.number,
            entrants: self.entrants,
            standing,
            meetings: played.meetings,
            byes: played.byes,
        }
    }
}

/// The engines that play the game, by seed.
fn first_entrants(config: &Config, stage: &StageConfig, game: usize) -> Vec<Entrant> {
    let id = &config.games[game].id;
    let mut entrants: Vec<Entrant> = (0..config.engines.len())
        .filter(|&entrant| config.engines[entrant].games.contains(id))
        .collect();
    if stage.seeding == Seeding::Random {
        entrants.sort_by_key(|&entrant| lot(config, game, &stage.name, entrant));
    }
    // Late ones last: so they move nobody to another group or place.
    entrants.sort_by_key(|&entrant| config.engines[entrant].attendance.from.is_some());
    entrants
}

/// The entrants that advance from the groups of a stage: all winners first, in group order, then
/// all seconds, and so on, of those that `may`. `None` until all groups are finished.
fn advanced<'t>(
    stage: &StageConfig,
    groups: impl Iterator<Item = &'t GroupTable>,
    may: impl Fn(Entrant) -> bool,
) -> Option<Vec<Entrant>> {
    let groups: Vec<&GroupTable> = groups.collect();
    if !groups.iter().all(|group| group.standing.complete) {
        return None;
    }
    let places = 0..stage.advance.unwrap_or(0) as usize;
    let advancing = groups.iter().map(|group| {
        let places = group.standing.places.iter().map(|place| place.entrant);
        places.filter(|&entrant| may(entrant)).collect::<Vec<_>>()
    });
    let advancing: Vec<Vec<Entrant>> = advancing.collect();
    let of_place = |place: usize| {
        let groups = advancing.iter();
        groups.filter_map(move |group| group.get(place).copied())
    };
    Some(places.flat_map(of_place).collect())
}

/// Deals entrants to groups in snake order (1 2 3, 3 2 1, …), so that the groups are about equally
/// strong.
fn grouped(entrants: Vec<Entrant>, groups: u32) -> Vec<Vec<Entrant>> {
    let count = groups as usize;
    let mut dealt = vec![Vec::new(); count];
    for (index, entrant) in entrants.into_iter().enumerate() {
        let (lap, place) = (index / count, index % count);
        let group = if lap % 2 == 0 {
            place
        } else {
            count - 1 - place
        };
        dealt[group].push(entrant);
    }
    dealt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_dealt_in_snake_order() {
        let groups = grouped((0..8).collect(), 3);
        assert_eq!(groups, [vec![0, 5, 6], vec![1, 4, 7], vec![2, 3]]);
    }
}
