//! Tables of Movebank: fixes of animals at any times, in metres of a UTM zone or in degrees.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use super::loaded::Loaded;
use super::rows::{AgentRow, TrajectoryError};
use crate::table::{TextTable, TextTableError};

/// The mean radius of the Earth in metres.
const EARTH: f64 = 6_371_008.8;

/// The widest range of latitudes in degrees that is projected to a plane, which stretches it by 4 % at mid-latitudes.
const WIDEST: f64 = 4.0;

/// The longest gap between two fixes of an animal that is filled, in median gaps.
const LONGEST: f64 = 2.0;

/// The share of a frame by which a fix may miss it.
const NEAR: f64 = 1e-3;

/// The places of the columns.
#[derive(Debug)]
pub(super) struct Fixes {
    time: usize,
    name: usize,
    /// Eastwards and northwards.
    axes: [usize; 2],
    in_degrees: bool,
    zone: Option<usize>,
    visible: Option<usize>,
}

/// A position of an animal at a time.
struct Fix {
    animal: u64,
    seconds: f64,
    at: [f64; 2],
    line: u64,
}

impl Fixes {
    /// Finds the columns; `None` if this is not such a table. R writes points for the hyphens, and others underscores.
    pub(super) fn find(names: &[String]) -> Option<Self> {
        let plain: Vec<String> = names.iter().map(|name| name.to_ascii_lowercase().replace(['.', '_'], "-")).collect();
        let place = |name: &str| plain.iter().position(|known| known == name);
        let pair = |x: &str, y: &str| Some([place(x)?, place(y)?]);
        let metres = pair("utm-easting", "utm-northing");
        Some(Self {
            time: place("timestamp")?,
            name: place("individual-local-identifier").or(place("tag-local-identifier"))?,
            axes: metres.or_else(|| pair("location-long", "location-lat"))?,
            in_degrees: metres.is_none(),
            zone: place("utm-zone").filter(|_| metres.is_some()),
            visible: place("visible"),
        })
    }

    /// Reads the rows as frames that are the median time between two fixes of an animal apart.
    pub(super) fn read(self, file: &Path, table: TextTable<impl Read>) -> Result<Loaded, TrajectoryError> {
        let wrong = |error: TextTableError| TrajectoryError::at(file, error.line, error.column, error.reason);
        let whole = |reason: &str| TrajectoryError::whole(file, reason);
        let (mut fixes, left_out) = self.fixes(table).map_err(wrong)?;
        fixes.sort_by(|one, next| {
            (one.animal, one.seconds).partial_cmp(&(next.animal, next.seconds)).unwrap_or(std::cmp::Ordering::Equal)
        });
        let mut gaps = Vec::new();
        for pair in fixes.windows(2).filter(|pair| pair[0].animal == pair[1].animal) {
            let gap = pair[1].seconds - pair[0].seconds;
            if gap <= 0.0 {
                return Err(TrajectoryError::at(file, pair[1].line, 1, "the animal has two positions at this time"));
            }
            gaps.push(gap);
        }
        gaps.sort_by(f64::total_cmp);
        let seconds = *gaps.get(gaps.len() / 2).ok_or_else(|| whole("no animal has positions at two times"))?;
        let mut notes = Vec::new();
        if self.in_degrees {
            notes.push(project(&mut fixes).map_err(|reason| whole(&reason))?);
        }
        let least = |of: &dyn Fn(&Fix) -> f64| fixes.iter().map(of).fold(f64::INFINITY, f64::min);
        let (start, west, south) = (least(&|fix| fix.seconds), least(&|fix| fix.at[0]), least(&|fix| fix.at[1]));
        let frame = |fix: &Fix| (fix.seconds - start) / seconds;
        let is_near = |fix: &Fix| (frame(fix) - frame(fix).round()).abs() < NEAR;
        let mut rows: Vec<AgentRow> = Vec::new();
        for pair in fixes.windows(2).filter(|pair| pair[0].animal == pair[1].animal) {
            let [from, to] = [frame(&pair[0]), frame(&pair[1])];
            let (first, last) = ((from - NEAR).ceil() as u64, (to + NEAR).floor() as u64);
            let inside = if to - from <= LONGEST + NEAR { last.saturating_add(1).saturating_sub(first) } else { 0 };
            let ends = pair.iter().filter(|fix| inside == 0 && is_near(fix)).map(|fix| frame(fix).round() as u64);
            for tick in (first..first + inside).chain(ends) {
                if rows.last().is_some_and(|row| (row.id, row.tick) >= (pair[0].animal, tick)) {
                    continue;
                }
                let share = ((tick as f64 - from) / (to - from)).clamp(0.0, 1.0);
                let at = |axis: usize| pair[0].at[axis] + share * (pair[1].at[axis] - pair[0].at[axis]);
                let position = [(at(0) - west) as f32, (at(1) - south) as f32, 0.0];
                let line = u32::try_from(pair[0].line).unwrap_or(0);
                rows.push(AgentRow { tick, id: pair[0].animal, species: 0, line, position, velocity: [0.0; 3] });
            }
        }
        notes.push(format!("coordinates count from {west:.0} m east and {south:.0} m north, the least of each"));
        if !fixes.iter().all(is_near) {
            notes.push(format!("positions are interpolated to frames {seconds} s apart, the median time between two"));
        }
        if left_out > 0 {
            notes.push(format!("{left_out} rows without a position, or not visible, are left out"));
        }
        Ok(Loaded::new(2, vec!["agent".to_owned()], rows, (seconds, 1), false).with(notes))
    }

    /// The fixes, and the number of rows that are none.
    fn fixes(&self, mut table: TextTable<impl Read>) -> Result<(Vec<Fix>, u64), TextTableError> {
        let (mut fixes, mut left_out, mut zone) = (Vec::new(), 0, None);
        let mut animals: HashMap<String, u64> = HashMap::new();
        while table.next()? {
            let field = |place: usize| table.field(place).unwrap_or("");
            let is_hidden = self.visible.is_some_and(|place| field(place).eq_ignore_ascii_case("false"));
            if is_hidden || self.axes.iter().any(|&place| field(place).is_empty()) {
                left_out += 1;
                continue;
            }
            let problem = |place: usize, reason: &str| {
                let name = table.names().get(place).map_or("", String::as_str);
                table.problem(table.column(place), format!("{name} {reason}"))
            };
            let most = if self.in_degrees { [180.0, 90.0] } else { [1e7; 2] };
            let mut at = [0.0; 2];
            for ((axis, place), most) in at.iter_mut().zip(self.axes).zip(most) {
                let number = table.number(place).filter(|number| number.abs() <= most);
                *axis = number.ok_or_else(|| problem(place, &format!("must be a number, within {most} of zero")))?;
            }
            if let Some(place) = self.zone {
                let own = field(place).to_owned();
                if *zone.get_or_insert_with(|| own.clone()) != own {
                    return Err(problem(place, &format!("is {own}, another one than before: tracks have one zone")));
                }
            }
            let seconds = seconds(field(self.time));
            let seconds =
                seconds.ok_or_else(|| problem(self.time, "must be a time such as 2009-07-15 06:00:00.000"))?;
            let count = animals.len() as u64;
            let animal = *animals.entry(field(self.name).to_owned()).or_insert(count);
            fixes.push(Fix { animal, seconds, at, line: table.line() });
        }
        Ok((fixes, left_out))
    }
}

/// Makes degrees metres about their mean latitude, and returns the note on it.
fn project(fixes: &mut [Fix]) -> Result<String, String> {
    let Some(origin) = fixes.first().map(|fix| fix.at[0]) else { return Ok(String::new()) };
    let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
    for fix in fixes.iter() {
        (low, high) = (low.min(fix.at[1]), high.max(fix.at[1]));
    }
    if high - low > WIDEST {
        return Err(format!(
            "the latitudes reach from {low} to {high}: a plane has at most {WIDEST} degrees. Cut the file, or export it \
             with the columns utm-easting and utm-northing"
        ));
    }
    let middle = (low + high) / 2.0;
    for fix in fixes {
        // Across the 180th degree too.
        let east = (fix.at[0] - origin + 540.0).rem_euclid(360.0) - 180.0;
        fix.at = [east.to_radians() * middle.to_radians().cos(), fix.at[1].to_radians()].map(|angle| angle * EARTH);
    }
    Ok(format!("degrees are projected to a plane about latitude {middle:.3}; utm-easting and utm-northing are metres"))
}

/// The seconds since 1970 of a time such as `2009-07-15 06:00:00.000`, in which the seconds may be missing.
fn seconds(text: &str) -> Option<f64> {
    let (date, time) = text.split_once([' ', 'T'])?;
    let mut date = date.split('-').map(|part| part.parse::<u32>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let mut time = time.trim_end_matches('Z').trim_end_matches("+00:00").split(':');
    let [hour, minute] = [time.next()?, time.next()?].map(|part| part.parse::<u32>().ok());
    let second: f64 = time.next().map_or(Some(0.0), |part| part.parse().ok())?;
    let valid = (1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if !valid || date.next().is_some() || time.next().is_some() || !(0.0..61.0).contains(&second) {
        return None;
    }
    // Years that start in March end with the day that some of them lack.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = i64::from(365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day) - 719_469;
    let hours = f64::from(hour.filter(|hour| *hour < 24)?) + f64::from(minute.filter(|minute| *minute < 60)?) / 60.0;
    Some(days as f64 * 86_400.0 + hours * 3600.0 + second)
}
