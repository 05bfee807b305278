// The series that belong to a scene: the measurements of its own lines, exits and areas, and how its agents fare. A
// colour belongs to a name, by its place in the scenario, so it stays during a run.
const WINDOW = 8; // seconds over which a flow is taken

/** The charts of a world, each with its lines: a name, a colour and the values of all samples. */
function chartsOf(world, samples, scenery, figures) {
  const last = samples.at(-1), people = world.species.some(({ person }) => person);
  const values = (of) => samples.map((sample) => of(sample) ?? 0);
  const populations = world.species.map(({ name }, number) => ({
    name, colour: Colours.species(number), values: values(({ story }) => story.populations[number]?.agents),
  }));
  let kind = 0;
  const states = world.species.flatMap(({ name, states }, species) => (states.length ? states : [null]).map((state, number) => ({
    name: world.species.length > 1 ? `${name} ${words(state ?? "")}` : words(state ?? name), colour: Colours.species(kind++), hidden: state === null,
    values: values(({ story }) => story.populations[species]?.states[number]),
  }))).filter(({ hidden }) => !hidden);
  const counted = passages(world, scenery).map(({ name, of }, number) => ({ name, colour: Colours.rule(number), values: values(of) }));
  const areas = (world.outputs?.areas ?? []).map((name, number) => ({ name: words(name), colour: Colours.rule(number + 3), values: values(({ story }) => story.areas?.[number]) }));
  const means = world.species.flatMap(({ name, variables }, species) => variables.map(([variable], number) => ({
    name: world.species.length > 1 ? `${name} ${words(variable)}` : words(variable), colour: Colours.rule(kind++),
    values: values(({ story }) => story.populations[species]?.means?.[number]),
  })));
  const own = (world.outputs?.own ?? []).map(([name, unit], number) => ({
    name: unit ? `${words(name)}, ${unit}` : words(name), colour: Colours.rule(number), values: values(({ story }) => story.own?.[number]),
  }));
  const measure = (title, key, high) => ({ title, high, lines: key in last ? [{ name: title, colour: Colours.rule(1), values: values((sample) => sample[key]) }] : [] });
  const stages = (last.stages ?? []).map(([name], number) => ({ name, colour: Colours.rule(number), values: values((sample) => sample.stages[number]?.[1]) }));
  const charts = [
    { title: say(people ? "peopleInside" : "population"), lines: populations },
    { title: say("passed"), lines: counted },
    { title: say("flow"), lines: counted.map((line) => ({ ...line, values: flow(samples, line.values, world.tick_seconds) })) },
    { title: say("density"), lines: areas },
    { title: say("perState"), lines: states },
    ...own.map((line) => ({ title: line.name, lines: [line] })),
    ...means.map((line) => ({ title: say("meanOf", { name: line.name }), lines: [line] })),
    measure(say("meanSpeed"), "mean_speed"),
    ...(people ? [] : [measure(say("polarisation"), "polarisation", 1), measure(say("meanNeighbours"), "mean_neighbours")]),
  ];
  const telling = charts.filter(({ lines }) => lines.some((line) => !isFlat(line.values)));
  return figures && stages.length ? [...telling, { title: say("perStage"), lines: stages }] : telling;
}

/** What people pass: the lines of the scenario's measures, or else its exits. */
function passages(world, scenery) {
  const lines = (world.outputs?.lines ?? []).map(({ name }, number) => ({ name: words(name), of: ({ story }) => story.lines?.[number] }));
  if (lines.length) return lines;
  const sinks = (scenery.regions ?? []).flatMap((region) => region?.sinks ?? []).sort(([a], [b]) => a - b);
  return sinks.map(([number, name]) => ({ name: words(name), of: ({ story }) => story.sinks?.[number] }));
}

/** The increase per second of a count, over a window of time. */
function flow(samples, counts, tick) {
  let from = 0;
  return samples.map((sample, at) => {
    while (from < at - 1 && (sample.tick - samples[from].tick) * tick > WINDOW) from += 1;
    const seconds = (sample.tick - samples[from].tick) * tick;
    return seconds > 0 ? (counts[at] - counts[from]) / seconds : 0;
  });
}

/** Whether a line has nothing to say: after its first samples it stays as it was. */
function isFlat(values) {
  return values.length > 3 && values.slice(1).every((value) => value === values[values.length - 1] || !Number.isFinite(value));
}
