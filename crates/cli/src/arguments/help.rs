//! The help: the commands in groups, examples of each, and the options that only the long help has.

use clap::Arg;

/// The groups of commands in the help of the program.
pub(super) const GROUPS: [(&str, &[&str]); 4] = [
    ("Run and watch", &["run", "view", "render", "resume"]),
    ("Make scenarios", &["list", "new", "check", "plan", "rules", "models", "schema"]),
    ("Measure", &["sweep", "fit", "plot", "report", "explain", "replay", "verify", "bench"]),
    ("Set up and help", &["completions", "man", "help"]),
];

/// Two examples of each command.
pub(super) const EXAMPLES: [(&str, [&str; 2]); 21] = [
    ("run", ["throng run murmuration --live", "throng run hall --seed 7 -o hall-7 --open"]),
    ("resume", ["throng resume throng-out/hall", "throng resume throng-out/hall --ticks 9000"]),
    ("render", ["throng render hunt -o hunt.png --open", "throng render shoal -o shoal.gif --ticks 200"]),
    ("view", ["throng view", "throng view my-flock.toml --watch"]),
    ("new", ["throng new my-crowd --template crowd", "throng new my-hunt --from hunt"]),
    ("list", ["throng list", "throng list studies"]),
    ("check", ["throng check my-flock.toml", "throng check hall --set world.tick=0.02"]),
    ("plan", ["throng plan hall.svg -o hall.png", "throng plan rooms.wkt --scale 0.01"]),
    ("rules", ["throng rules", "throng rules separation cohesion"]),
    ("models", ["throng models", "throng models vicsek"]),
    ("schema", ["throng schema > throng.schema.json", "throng schema | less"]),
    (
        "sweep",
        [
            "throng sweep flock --seeds 8 --ticks 400 --from 200 -o seeds.csv",
            "throng sweep vicsek --vary species.bird.motion.noise=0:5:6 --ticks 900 \\\n      --from 400 -o noise.csv",
        ],
    ),
    (
        "fit",
        [
            "throng fit flock --to tracks.csv --vary species.starling.max_speed=5.0..20",
            "throng fit hall --to people.txt",
        ],
    ),
    (
        "plot",
        [
            "throng plot noise.csv --y polarisation -o noise.svg",
            "throng plot noise.csv --x species.bird.motion.noise --y polarisation -o p.png",
        ],
    ),
    ("report", ["throng report throng-out/hall", "throng report throng-out/hall --until 0.01 -o hall.html"]),
    ("explain", ["throng explain hunt --agent 3", "throng explain hall --agent 12 --tick 50"]),
    ("replay", ["throng replay hall.recording", "throng replay hall.recording --list"]),
    ("verify", ["throng verify trace-1 trace-2", "throng verify here/trace there/trace"]),
    ("completions", ["throng completions bash > throng.bash", "throng completions zsh > _throng"]),
    ("man", ["throng man", "throng man /usr/local/share/man/man1"]),
    ("bench", ["throng bench hall --scale 1,4", "throng bench --agents 1e5 --threads 1,2 --plot bench.svg"]),
];

/// The options of commands that only `--help` shows.
const RARE: [(&str, &[&str]); 4] = [
    ("bench", &["set", "dimensions", "from", "ticks", "repetitions", "csv", "designs", "peers"]),
    (
        "render",
        &[
            "azimuth",
            "elevation",
            "stacked",
            "centre",
            "zoom",
            "height",
            "fps",
            "from",
            "light",
            "no_caption",
            "threads",
        ],
    ),
    ("view", &["listen", "port", "threads"]),
    ("sweep", &["radius", "threads", "force"]),
];

pub(crate) const EXIT_CODES: &str = "\
Exit codes: 0 success, 1 a bug in throng, 2 invalid input or usage, 3 unexpected hash, trace or time, 4 too large for this \
machine, 5 output not writable, 6 checkpoint unusable, 7 another rank failed (throng-mpi), 130 and 143 ended by a signal.";

/// Adds the groups and the examples to the command line.
pub(super) fn complete(mut command: clap::Command) -> clap::Command {
    let sample = ["throng view", "throng run hall --open"];
    let groups = groups(&command);
    for (name, examples) in EXAMPLES {
        let rare = RARE.iter().find(|(other, _)| *other == name).map_or(&[][..], |(_, rare)| rare);
        let hidden = |argument: Arg| match rare.contains(&argument.get_id().as_str()) {
            true => argument.hide_short_help(true),
            false => argument,
        };
        command = command.mut_subcommand(name, |command| command.mut_args(hidden).after_help(shown(&examples)));
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{groups}\n\
        {}\n{{options}}{{after-help}}",
        heading("Options:")
    );
    let codes = format!("{}\n\n{EXIT_CODES}", shown(&sample));
    command.help_template(template).after_help(shown(&sample)).after_long_help(codes)
}

/// The commands in groups, each with its line.
fn groups(command: &clap::Command) -> String {
    let mut text = String::new();
    for (group, members) in GROUPS {
        text += &format!("\n{}\n", heading(&format!("{group}:")));
        for name in members {
            let known = command.find_subcommand(name);
            if known.is_some_and(clap::Command::is_hide_set) {
                continue;
            }
            let about = known.and_then(clap::Command::get_about).map(ToString::to_string);
            let about = about.unwrap_or_else(|| "Print the help of a command: throng help run".to_owned());
            text += &format!("  \x1b[1m{name:<12}\x1b[0m {about}\n");
        }
    }
    text
}

fn shown(examples: &[&str]) -> String {
    let lines: Vec<String> = examples.iter().map(|example| format!("  {example}")).collect();
    format!("{}\n{}", heading("Examples:"), lines.join("\n"))
}

fn heading(text: &str) -> String {
    format!("\x1b[1m\x1b[4m{text}\x1b[0m")
}
