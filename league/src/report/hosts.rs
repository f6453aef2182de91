//! The table of hosts: one row per machine, with a test whether its results fit.

use stats::rating::ChiSquare;

use super::{Section, cells};
use crate::results::hosts::{Host, Residual};
use crate::results::standings::Standings;

/// Note above the table.
const NOTE: &str = "χ²: how far the results of a host are from those of all that fit, and the \
                    probability p of this by chance.";

/// The table; `None` if there is only one host.
pub(super) fn section(standings: &Standings) -> Option<Section> {
    let hosts = standings.hosts.iter();
    if hosts.len() < 2 {
        return None;
    }
    let residuals = standings.hosts.residuals();
    let alarms = standings.hosts.iter().zip(&residuals);
    let alarms = alarms.filter(|(_, residual)| residual.is_alarm);
    let mut notes = vec![NOTE.to_owned()];
    notes.extend(alarms.map(|((name, _), residual)| {
        format!(
            "The results of {name} do not fit those of the others (p = {}): look at its load and its \
             files, and play its games again.",
            probability(*residual)
        )
    }));
    Some(Section {
        title: "Hosts".to_owned(),
        notes,
        header: cells([
            "",
            "host",
            "games",
            "Mnodes/s",
            "clocks",
            "lost by faults",
            "lag 99 %, ms",
            "χ²",
            "freedom",
            "p",
        ]),
        rows: (hosts.zip(&residuals).enumerate())
            .map(|(place, ((name, host), residual))| row(place, name, host, *residual))
            .collect(),
    })
}

fn row(place: usize, name: &str, host: &Host, residual: Residual) -> Vec<String> {
    let unknown = || "–".to_owned();
    let speed = host.speed();
    let lag = host.lags.report();
    let ChiSquare { value, freedom } = residual.chi_square;
    vec![
        (place + 1).to_string(),
        name.to_owned(),
        host.games.to_string(),
        speed.map_or_else(unknown, |speed| format!("{:.2}", speed / 1e6)),
        host.scales.map_or_else(unknown, scales),
        host.faults.values().sum::<u32>().to_string(),
        lag.map_or_else(unknown, |lag| {
            format!("{:.1}", lag.percentile_99_us as f64 / 1000.0)
        }),
        match freedom {
            0 => unknown(),
            _ => format!("{value:.1}"),
        },
        freedom.to_string(),
        probability(residual),
    ]
}

/// The scales of the clocks of a host: `×1`, or `×0.95 to ×1.02`.
fn scales([least, most]: [f64; 2]) -> String {
    if least == most {
        format!("×{least}")
    } else {
        format!("×{least} to ×{most}")
    }
}

fn probability(residual: Residual) -> String {
    match residual.probability {
        None => "–".to_owned(),
        Some(chance) if chance < 0.001 => format!("{chance:.0e}"),
        Some(chance) => format!("{chance:.3}"),
    }
}
