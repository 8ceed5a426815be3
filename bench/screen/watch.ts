/** Injected into every viewer's page to read what it shows: the timestamps of frames, and the block that reacts to clicks and keys. */
import { bits, bitSize, clickBlock } from './marks.ts';

/** What the page has shown since `watched.begin()`. */
export interface WatchedPage {
  /** The age of each distinct frame when it was shown, in milliseconds. */
  ages: number[];
  /** For each pause of a film, the age of its last frame when its last part was drawn, in milliseconds. */
  exact: number[];
  /** How many frames of video were drawn, and how many of them were enlarged. */
  videos: number;
  enlarged: number;
  /** Milliseconds from each click or key to its effect. */
  effects: number[];
  /** Timestamps that could not be read. */
  unreadable: number;
  /** Milliseconds from the press of a button, or otherwise from navigation, to the first and last drawing before `begin`. */
  first: number;
  last: number;
}

/** A film that draws nothing for this long pauses. */
const pauseMs = 400;

/** Reads the canvas after each drawing. */
export const watchScript = `
window.watched = { ages: [], exact: [], videos: 0, enlarged: 0, effects: [], unreadable: 0, first: 0, last: 0 };
{
  const { prototype } = CanvasRenderingContext2D;
  const [bits, size, inset] = [${bits}, ${bitSize}, ${clickBlock.inset - clickBlock.side / 2}];
  let [last, pressed, wasBlue, due, since, begun] = [-1, 0, undefined, false, 0, false];
  const open = HTMLCanvasElement.prototype.getContext;
  // Read often, so the canvas is kept in memory, in every viewer equally.
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    return open.call(this, kind, kind === '2d' ? { ...options, willReadFrequently: true, desynchronized: false } : options);
  };
  const readTime = (context) => {
    const row = context.getImageData(0, size / 2, bits * size, 1).data;
    let mark = 0;
    for (let bit = 0; bit < bits; bit += 1) {
      const at = (bit * size + size / 2) * 4;
      const light = row[at] + row[at + 1] + row[at + 2];
      if (light > 250 && light < 515) return -1;
      if (light >= 515) mark += 2 ** bit;
    }
    return mark;
  };
  const ageOf = (mark, at) => Math.floor(performance.timeOrigin + at) % 2 ** bits - mark;
  let drawnAt = 0;
  /** A pause is noticed when the film goes on. */
  const notePause = () => {
    const now = performance.now();
    if (drawnAt > 0 && now - drawnAt > ${pauseMs}) watched.exact.push(ageOf(last, drawnAt));
    drawnAt = now;
  };
  const look = (context) => {
    due = false;
    notePause();
    const { width, height } = context.canvas;
    const mark = readTime(context);
    if (mark < 0) watched.unreadable += 1;
    else if (mark !== last) {
      last = mark;
      const age = ageOf(mark, performance.now());
      if (age > -20 && age < 20000) watched.ages.push(age);
    }
    const [red, , blue] = context.getImageData(width - inset, height - inset, 1, 1).data;
    const isBlue = blue > red;
    if (pressed > 0 && wasBlue !== undefined && isBlue !== wasBlue) {
      watched.effects.push(performance.now() - pressed);
      pressed = 0;
    }
    wasBlue = isBlue;
  };
  const seen = (context) => {
    if (due || context.canvas.width < 1000 || !context.canvas.isConnected) return;
    due = true;
    if (!begun) watched.last = performance.now() - since;
    watched.first ||= watched.last;
    queueMicrotask(() => look(context));
  };
  for (const name of ['drawImage', 'putImageData', 'fillRect']) {
    const draw = prototype[name];
    prototype[name] = function (...args) {
      draw.apply(this, args);
      if (args[0] instanceof VideoFrame && args[0].displayWidth >= this.canvas.width / 2) {
        watched.videos += 1;
        if (args[0].displayWidth < this.canvas.width) watched.enlarged += 1;
      }
      seen(this);
    };
  }
  for (const name of ['pointerdown', 'keydown'])
    window.addEventListener(name, () => (pressed = performance.now()), true);
  window.addEventListener('click', () => (since ||= performance.now()), true);
  watched.begin = () => {
    begun = true;
    Object.assign(watched, { ages: [], exact: [], videos: 0, enlarged: 0, effects: [], unreadable: 0 });
  };
}`;
