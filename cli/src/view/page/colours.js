// The colours of the world in both themes, distinct for people with any kind of colour vision.
const Colours = {
  light: false,

  /** The colour of a species by its number: those of Okabe and Ito. */
  species(number) {
    const dark = ["#56b4e9", "#e69f00", "#f0e442", "#009e73", "#cc79a7", "#d55e00", "#3c82c8"];
    const light = ["#0072b2", "#c77700", "#8f8400", "#007a59", "#a8497f", "#b34700", "#2a5f96"];
    const colours = this.light ? light : dark;
    return colours[number % colours.length];
  },

  /** The colour of a rule's force by the rule's number in its species. */
  rule(number) {
    const dark = ["#e69f00", "#56b4e9", "#35c795", "#f0e442", "#e58fbf", "#ff7a3d", "#b3a4ff", "#cfd6e4"];
    const light = ["#b36b00", "#0072b2", "#007a59", "#857a00", "#a8497f", "#b34700", "#5b46c2", "#55607a"];
    const colours = this.light ? light : dark;
    return colours[number % colours.length];
  },

  /** The colours of headings: blue against yellow from side to side, light against dark from top to bottom. */
  headings() {
    return this.light
      ? { right: "#b36200", left: "#0064bd", up: "#8a7d6a", down: "#5b3a86" }
      : { right: "#ffbe4b", left: "#2d96f5", up: "#f8f0e4", down: "#9a74c4" };
  },

  get ground() { return this.light ? "#f4f5f7" : "#0b0f1a"; },
  get edge() { return this.light ? "#b4bdcd" : "#33405c"; },
  get inside() { return this.light ? "#ffffff" : "#0e1422"; },
  get obstacle() { return this.light ? "#8d97a8" : "#4a5670"; },
  get mark() { return this.light ? "#b34700" : "#ff7a3d"; },
  get selected() { return this.light ? "#111827" : "#ffffff"; },
  get soft() { return this.light ? "#5a6780" : "#9aa6bd"; },
};

/** Converts a colour to three numbers from 0 to 1. */
function rgb(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
}
