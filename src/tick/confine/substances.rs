//! Substances: agents deposit them, and they spread and decay.
//!
//! Deposits are added as whole numbers, so the order of agents changes no bit.

use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use fearless_simd::Level;

use crate::agents::Agents;
use crate::agents::columns::{Owner, Stored as _};
use crate::base::settings::Settings;
use crate::environment::Substance;
use crate::environment::spreading::{Spreading, UNITS};
use crate::kernels::CHUNK;
use crate::ranks::Part;
use crate::state::State;

/// Chunks of agents that a thread takes at a time.
const GRAIN: usize = 16;

/// The buffers of one substance.
#[derive(Debug, Default)]
pub(super) struct Deposits {
    /// The deposits of this tick; all zero before and after it.
    gained: Vec<AtomicI64>,
    next: Vec<f32>,
}

/// Spreads and decays the substances of a world, and adds the deposits of agents where they are.
pub(super) fn advance<const D: usize>(state: &mut State<D>, part: &mut Part, all: &mut Vec<Deposits>, level: Level) {
    let State { settings, environment, agents, .. } = state;
    if environment.substances.is_empty() {
        return;
    }
    all.resize_with(environment.substances.len(), Deposits::default);
    for ((substance, amounts), deposits) in environment.substances.items_mut().zip(all) {
        let spreading = Spreading::new(substance, settings);
        let count = spreading.cells.iter().product();
        if amounts.0.len() != count {
            amounts.0.clear();
            amounts.0.resize(count, substance.start);
        }
        let gains = deposit(substance, settings, spreading.cells, agents, part, &mut deposits.gained);
        spreading.advance(
            level,
            &mut amounts.0,
            &mut deposits.next,
            if gains { &mut deposits.gained } else { &mut [] },
        );
    }
}

/// Adds the deposits of agents to the numbers of their cells. Returns whether any species deposits the substance.
fn deposit<const D: usize>(
    substance: &Substance,
    settings: &Settings<D>,
    cells: [usize; D],
    agents: &[Agents<D>],
    part: &mut Part,
    gained: &mut Vec<AtomicI64>,
) -> bool {
    let rates = |agents: &'_ Agents<D>| {
        let mut columns = agents.columns.0.iter();
        columns.position(|column| column.owner == Owner::Variable && substance.is_deposited_by(&column.name))
    };
    let count: usize = agents.iter().filter(|agents| rates(agents).is_some()).map(Agents::len).sum();
    if count == 0 {
        return false;
    }
    gained.resize_with(cells.iter().product(), AtomicI64::default);
    // No sum of all agents overflows.
    let most = (1_u64 << 62) as f64 / count as f64;
    let scale = f64::from(settings.tick_seconds) * UNITS;
    let per_metre: [f32; D] = std::array::from_fn(|axis| cells[axis] as f32 / settings.size[axis]);
    let to: &[AtomicI64] = gained;
    for agents in agents {
        let Some(rates) = rates(agents).and_then(|place| f32::rows(&agents.columns.0[place].data)) else { continue };
        part.moves(agents).for_each(GRAIN, (), &|chunk, ()| {
            for (row, &rate) in
                rates.iter().enumerate().skip(chunk * CHUNK).take(CHUNK).filter(|(_, rate)| **rate != 0.0)
            {
                let mut cell = 0;
                for axis in (0..D).rev() {
                    // Conversions saturate.
                    let along = (agents.position[axis][row] * per_metre[axis]) as usize;
                    cell = cell * cells[axis] + if along < cells[axis] { along } else { cells[axis] - 1 };
                }
                to[cell].fetch_add((f64::from(rate) * scale).clamp(-most, most) as i64, Relaxed);
            }
        });
    }
    part.sum_of_cells(gained);
    true
}
