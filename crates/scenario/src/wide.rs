//! Ways for kinds of people whose bodies are wider than the ways of a navigation: navigations to the same goals with
//! the clearance of the kind, which only such agents take.

use throng::parameters::Value;
use throng::{Distribution, Familiar, LIMIT};

use crate::definition::{Group, RADIUS, Scenario};
use crate::document::At;
use crate::fields::Reader;
use crate::items::ItemSpec;
use crate::navigation::{self, clearance};
use crate::reason::Reason;

/// The length by which a body may be wider than the clearance, in metres: people turn their shoulders.
const TURN: f32 = 0.05;

/// The largest number of navigations with which an agent can know some and not others.
const MOST: usize = u32::BITS as usize;

/// A kind with wide bodies.
struct Wide {
    /// The radius of its bodies, in metres.
    radius: f32,
    name: String,
    /// Its place in the file.
    at: (At, String),
}

/// Adds the navigations that wide kinds need, and gives them to the rules of their species.
pub(crate) fn derive(reader: &mut Reader<'_>, scenario: &mut Scenario) {
    let before = scenario.environment.navigations.len();
    for number in 0..scenario.groups.len() {
        for place in 0..before {
            let narrow = scenario.environment.navigations[place].clone();
            let group = &scenario.groups[number];
            let wide = group.wide_for(&narrow);
            if wide.is_empty() {
                continue;
            }
            let mut names = Vec::new();
            for kind in &wide {
                names.extend(widened(reader, &mut scenario.environment.navigations, before, &narrow, kind));
            }
            scenario.groups[number].take(&narrow, &wide, &names);
        }
    }
    let all = scenario.environment.navigations.len();
    if let (Some((at, path)), true) = (first_place(scenario), all > before && all > MOST) {
        reader.note(at, path, None, Reason::TooMany { what: "navigations, with the ways of wide kinds", most: MOST });
    }
}

fn first_place(scenario: &Scenario) -> Option<(At, String)> {
    scenario.groups.iter().find_map(|group| group.kinds.places.first().cloned())
}

/// The name of the navigation for a kind, which is added unless another species has it.
fn widened(
    reader: &mut Reader<'_>,
    navigations: &mut Vec<ItemSpec>,
    before: usize,
    narrow: &ItemSpec,
    kind: &Wide,
) -> Option<String> {
    let derived = navigation::widened(narrow, &kind.name, kind.radius);
    match navigations.iter().position(|other| other.name() == derived.name()) {
        Some(place) if place >= before && navigations[place] == derived => {}
        Some(_) => {
            let (at, path) = kind.at.clone();
            reader.note(at, path, Some(derived.name().to_owned()), Reason::NameTaken("navigation"));
            return None;
        }
        None => navigations.push(derived.clone()),
    }
    Some(derived.name().to_owned())
}

/// A radius that hardly any body of a distribution exceeds.
pub(crate) fn usual_radius(radius: Distribution) -> f32 {
    match radius {
        Distribution::Normal { mean, sd, high, .. } if mean + 2.0 * sd < high => mean + 2.0 * sd,
        Distribution::LogNormal { median, .. } => median,
        Distribution::Gamma { shape, scale, .. } => shape * scale,
        Distribution::Weibull { scale, .. } => scale,
        radius => radius.largest(),
    }
}

impl Group {
    /// The kinds that need wider ways than a navigation has, by their radii.
    fn wide_for(&self, navigation: &ItemSpec) -> Vec<Wide> {
        let walks_to = |name: &str| self.rules.iter().any(|rule| rule.goals().iter().any(|goal| goal == name));
        if !walks_to(navigation.name()) {
            return Vec::new();
        }
        let least = clearance(navigation) + TURN;
        let kinds = self.kinds.kinds.iter().zip(&self.kinds.places);
        let radii = kinds.filter_map(|(kind, at)| Some((usual_radius(kind.radius?), &kind.name, at)));
        let wide = radii.filter(|(radius, ..)| *radius > least);
        let mut wide: Vec<Wide> =
            wide.map(|(radius, name, at)| Wide { radius, name: name.clone(), at: at.clone() }).collect();
        wide.sort_by(|one, other| one.radius.total_cmp(&other.radius));
        wide.dedup_by(|one, other| one.radius == other.radius);
        wide
    }

    /// Lets wide kinds take the navigations with these names, and the others the narrow one.
    fn take(&mut self, narrow: &ItemSpec, wide: &[Wide], names: &[String]) {
        for rule in &mut self.rules {
            if rule.goals().iter().any(|goal| goal == narrow.name()) {
                rule.add_goals(names);
            }
        }
        if self.familiar.iter().all(|familiar| familiar.navigation != narrow.name()) {
            self.familiar.push(Familiar::new(narrow.name(), 1.0));
        }
        let of_kinds = self.kinds.kinds.iter_mut().map(|kind| &mut kind.familiar);
        std::iter::once(&mut self.familiar).chain(of_kinds).for_each(|all| divide(all, narrow, wide, names));
    }

    /// The bodies of a kind that are wider than a clearance, for rules that do not choose among ways.
    pub(crate) fn widest_of_kinds(&self) -> f32 {
        let radii = self.kinds.kinds.iter().filter_map(|kind| kind.radius).map(usual_radius);
        radii.fold(0.0, |most, radius| if radius > most { radius } else { most })
    }

    /// The usual radius of the agents of the species, and of each kind with its number.
    pub(crate) fn usual_radii(&self) -> Vec<(Option<usize>, f32)> {
        let kinds = self.kinds.kinds.iter().enumerate();
        let kinds = kinds.filter_map(|(number, kind)| Some((Some(number), usual_radius(kind.radius?))));
        std::iter::once((None, usual_radius(self.quantities[RADIUS]))).chain(kinds).collect()
    }

    /// Whether agents of a kind with bodies of a radius may take the ways of a navigation.
    pub(crate) fn may_take(&self, navigation: &str, kind: Option<usize>, radius: f32) -> bool {
        let is_it = |familiar: &&Familiar| familiar.navigation == navigation;
        let of_kind = kind.and_then(|kind| self.kinds.kinds[kind].familiar.iter().find(is_it));
        let fits = |familiar: &Familiar| (familiar.radii[0]..=familiar.radii[1]).contains(&radius);
        let never = of_kind.is_some_and(|familiar| familiar.share == 0.0);
        !never && of_kind.or(self.familiar.iter().find(is_it)).is_none_or(fits)
    }
}

/// Divides the share that knows a navigation by the radii of bodies: each has ways of its own.
fn divide(all: &mut Vec<Familiar>, narrow: &ItemSpec, wide: &[Wide], names: &[String]) {
    let Some(known) = all.iter_mut().find(|familiar| familiar.navigation == narrow.name()) else { return };
    let (share, mut least) = (known.share, clearance(narrow) + TURN);
    known.radii = [0.0, least];
    for (number, (kind, name)) in wide.iter().zip(names).enumerate() {
        let most = if number + 1 == wide.len() { LIMIT } else { kind.radius };
        all.push(Familiar { navigation: name.clone(), share, radii: [least.next_up(), most] });
        least = most;
    }
}

impl crate::rules::RuleSpec {
    /// The navigations among which the rule chooses.
    pub(crate) fn goals(&self) -> &[String] {
        let goals = self.values.iter().find(|(name, _)| *name == "goals").map(|(_, value)| value);
        match goals {
            Some(Value::Words(goals)) if self.leads() => goals,
            _ => &[],
        }
    }

    fn add_goals(&mut self, names: &[String]) {
        if let Some((_, Value::Words(goals))) = self.values.iter_mut().find(|(name, _)| *name == "goals") {
            goals.extend(names.iter().filter(|name| !goals.contains(name)).cloned().collect::<Vec<_>>());
        }
    }
}
