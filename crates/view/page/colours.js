// The colours of the page: the colours of agents come from LOOKS, which pictures share.
class Palette {
  constructor() {
    this.light = false;
  }

  get looks() { return this.light ? LOOKS.light : LOOKS.dark; }

  /** The colour of a species or a state by its number. */
  species(number) {
    return this.looks.kinds[number % this.looks.kinds.length];
  }

  /** The colour of a rule's force by the rule's number in its species, and of a line of a chart. */
  rule(number) {
    const dark = ["#e69f00", "#56b4e9", "#35c795", "#f0e442", "#e58fbf", "#ff7a3d", "#b3a4ff", "#cfd6e4"];
    const light = ["#b36b00", "#0072b2", "#007a59", "#857a00", "#a8497f", "#b34700", "#5b46c2", "#55607a"];
    const colours = this.light ? light : dark;
    return colours[number % colours.length];
  }

  /** The colour of a direction on the screen, x to the right and y up: three numbers from 0 to 1. */
  heading(x, y) {
    const [right, left, up, down] = this.looks.compass.map(rgb);
    const squared = x * x + y * y, share = squared > 0 ? (x * x) / squared : 0.5;
    const [side, height] = [x > 0 ? right : left, y > 0 ? up : down];
    return height.map((channel, at) => channel + (side[at] - channel) * share);
  }

  get edge() { return this.light ? "#5c6980" : "#8295bd"; }
  get wall() { return this.light ? "#1f2633" : "#dfe6f2"; }
  get obstacle() { return this.light ? "#8d97a8" : "#4a5670"; }
  get mark() { return this.light ? "#a83f00" : "#ff8a50"; }
  get selected() { return this.light ? "#111827" : "#ffffff"; }
  get soft() { return this.light ? "#4f5b72" : "#a5b1c8"; }
  get exit() { return this.light ? "#007a45" : "#3ddc84"; }
  get entry() { return this.light ? "#0060a8" : "#62b6ff"; }
  get closed() { return this.light ? "#b3261e" : "#ff6b5e"; }
}

const Colours = new Palette();

/** Converts a colour to three numbers from 0 to 1. */
function rgb(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
}

/** Converts three numbers from 0 to 1 to the number of an opaque pixel. */
function pixel([red, green, blue]) {
  return (255 << 24 | Math.round(blue * 255) << 16 | Math.round(green * 255) << 8 | Math.round(red * 255)) >>> 0;
}
