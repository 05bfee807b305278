// The backgrounds: one for each kind of scene, in both themes, from the top of the stage to its bottom.
const SCENES = {
  sky: { dark: ["#060a1c", "#101a3d", "#271f4c", "#452748"], light: ["#cfe0f2", "#e6ecf3", "#f6e7dc", "#f3d9cb"] },
  water: { dark: ["#0d4560", "#07304b", "#041d33", "#02101f"], light: ["#e6f5f8", "#d8edf3", "#c9e4ed", "#bbdbe7"] },
  field: { dark: ["#17251a", "#1d3022", "#233a26", "#2b442a"], light: ["#f3f4e4", "#eaf0d9", "#e3ebcf", "#dce6c6"] },
  plan: { dark: ["#0a101d", "#0a101d", "#0a101d", "#0a101d"], light: ["#dde2ea", "#dde2ea", "#dde2ea", "#dde2ea"] },
  plain: { dark: ["#11182a", "#0f1526", "#0c1220", "#090d18"], light: ["#fdfdfc", "#f9fafa", "#f5f6f8", "#f1f3f6"] },
};
const FLOOR = { dark: "#1c2740", light: "#ffffff" };
const FISH = /fish|sardine|minnow|pike|shark|whale|boat|krill|herring|tuna|squid/i;
const BEAST = /prey|hunter|sheep|dog|wolf|fox|hare|deer|zebra|lion|mouse|beetle|penguin|goat|herd|rabbit|\b(ant|bee|hen|cow)s?\b/i;
const BIRD = /bird|starling|swift|pigeon|falcon|hawk|boid|moth|firefly|midge|goose|crane|drone/i;

/** The kind of scene that a world shows, by its agents. */
function sceneOf({ species, dimensions }) {
  if (species.some(({ person }) => person)) return "plan";
  const names = species.map(({ name }) => name);
  for (const [scene, pattern] of [["water", FISH], ["field", BEAST], ["sky", BIRD]]) {
    if (names.some((name) => pattern.test(name))) return scene;
  }
  return dimensions === 3 ? "sky" : "plain";
}

const Background = {
  scene: "plain",

  get stops() { return SCENES[this.scene][Colours.light ? "light" : "dark"]; },
  get floor() { return FLOOR[Colours.light ? "light" : "dark"]; },
  /** The colour into which distant agents fade. */
  get far() { return this.stops[1]; },

  /** Shows it behind the layers of the stage. */
  show() {
    element("stage").style.background = `linear-gradient(${this.stops.join(",")})`;
  },

  /** Paints it into a picture. */
  paint(context, width, height) {
    const gradient = context.createLinearGradient(0, 0, 0, height);
    this.stops.forEach((colour, at) => gradient.addColorStop(at / (this.stops.length - 1), colour));
    context.fillStyle = gradient;
    context.fillRect(0, 0, width, height);
  },
};
