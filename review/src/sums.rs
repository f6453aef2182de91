//! What a review says of each side and of the whole game.

use std::ops::AddAssign;

use serde::Serialize;

use crate::course::{Course, Point};
use crate::marks::{Mark, Thresholds, Verdict};
use crate::values::Values;

/// A third of a game: opening, middle, ending.
pub const PHASES: [&str; 3] = ["opening", "middle", "ending"];

/// How many turning points a review names.
const TURNING_POINTS: usize = 3;

/// What a side did in a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Sums {
    /// Turns with a verdict.
    pub turns: u32,
    /// Their mean loss of the chance to win; 0 without turns.
    pub mean_loss: f64,
    /// 0 to 100: the mean over the turns of 103.1668·exp(−4.354·loss) − 3.1669, which is
    /// Lichess's (<https://lichess.org/page/accuracy>); `None` without turns.
    pub accuracy: Option<f64>,
    /// Numbers of turns by phase and [`Mark`].
    pub marks: [[u32; 5]; 3],
    /// Mean loss of the turns of each phase; 0 without turns.
    pub phase_loss: [f64; 3],
    /// Only good turns that were found.
    pub only: u32,
    /// Proven wins given away.
    pub missed_wins: u32,
    /// What the rolls gave this side of the chance to win.
    pub luck: f64,
}

impl Sums {
    /// Number of turns with a verdict in each phase.
    fn phase_turns(&self) -> [u32; 3] {
        self.marks.map(|phase| phase.iter().sum())
    }

    /// The mean loss; `None` without turns.
    pub fn known_loss(&self) -> Option<f64> {
        (self.turns > 0).then_some(self.mean_loss)
    }

    /// Number of turns of a mark.
    pub fn count(&self, mark: Mark) -> u32 {
        self.marks.iter().map(|phase| phase[mark as usize]).sum()
    }
}

impl AddAssign<&Sums> for Sums {
    /// Adds the turns of another game: means are over all turns.
    fn add_assign(&mut self, other: &Sums) {
        let turns = f64::from(self.turns + other.turns).max(1.0);
        let mean = |one: f64, more: f64| {
            (one * f64::from(self.turns) + more * f64::from(other.turns)) / turns
        };
        self.mean_loss = mean(self.mean_loss, other.mean_loss);
        // Of no turns there is none, and it counts nothing.
        let accuracies = [self.accuracy, other.accuracy];
        let [own, more] = accuracies.map(Option::unwrap_or_default);
        self.accuracy = accuracies[0].or(accuracies[1]).map(|_| mean(own, more));
        self.turns += other.turns;
        let (own, more) = (self.phase_turns(), other.phase_turns());
        for phase in 0..PHASES.len() {
            let [own, more] = [own[phase], more[phase]].map(f64::from);
            let sum = self.phase_loss[phase] * own + other.phase_loss[phase] * more;
            self.phase_loss[phase] = sum / (own + more).max(1.0);
        }
        let counts = self.marks.iter_mut().flatten();
        counts
            .zip(other.marks.iter().flatten())
            .for_each(|(count, more)| *count += more);
        self.only += other.only;
        self.missed_wins += other.missed_wins;
        self.luck += other.luck;
    }
}

/// Both sides of a game, `First` before `Second`.
pub fn sums(course: &Course, values: &Values, verdicts: &[Option<Verdict>]) -> [Sums; 2] {
    let mut sums = [Sums::default(), Sums::default()];
    let mut losses = [0.0, 0.0];
    let mut accuracies = [0.0, 0.0];
    for (ply, verdict) in verdicts.iter().enumerate() {
        if let Some(luck) = values.luck[ply] {
            sums[0].luck += luck;
            sums[1].luck -= luck;
        }
        let (Some(verdict), Point::Turn { side, .. }) = (verdict, course.points[ply]) else {
            continue;
        };
        let (side, lost) = (side.index(), values.lost[ply].unwrap_or_default());
        let sums = &mut sums[side];
        sums.turns += 1;
        let phase = phase(course, ply);
        sums.marks[phase][verdict.mark as usize] += 1;
        sums.phase_loss[phase] += lost;
        sums.only += u32::from(verdict.only);
        sums.missed_wins += u32::from(verdict.missed_win);
        losses[side] += lost;
        accuracies[side] += accuracy(lost);
    }
    for ((sums, loss), accuracy) in sums.iter_mut().zip(losses).zip(accuracies) {
        let turns = f64::from(sums.turns.max(1));
        let phase_turns = sums.phase_turns();
        for (loss, turns) in sums.phase_loss.iter_mut().zip(phase_turns) {
            *loss /= f64::from(turns.max(1));
        }
        sums.mean_loss = loss / turns;
        sums.accuracy = (sums.turns > 0).then(|| accuracy / turns);
    }
    sums
}

/// The third of the game's reviewed plies in which a ply lies.
fn phase(course: &Course, ply: usize) -> usize {
    let count = course.plies.len() - course.opening;
    ((ply - course.opening) * PHASES.len() / count.max(1)).min(PHASES.len() - 1)
}

/// The accuracy of a turn, 0 to 100.
fn accuracy(lost: f64) -> f64 {
    (103.1668 * (-4.354 * lost).exp() - 3.1669).clamp(0.0, 100.0)
}

/// The plies at which most was lost, the largest loss first: those that have a bad name.
pub fn turning_points(values: &Values) -> Vec<usize> {
    let lost = |ply: &usize| values.lost[*ply].unwrap_or_default();
    let mut plies: Vec<usize> = (0..values.lost.len())
        .filter(|ply| lost(ply) >= Thresholds::ALL.inaccuracy)
        .collect();
    plies.sort_by(|one, other| lost(other).total_cmp(&lost(one)).then(one.cmp(other)));
    plies.truncate(TURNING_POINTS);
    plies
}
