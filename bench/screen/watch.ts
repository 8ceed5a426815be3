/** What is put into the viewer's page, whoever made it, to see what it shows: the times on the pictures, and the block that answers clicks. */
import { bits, bitSize, clickBlock } from './marks.ts';

/** What the page has seen since `watched.begin()`. */
export interface WatchedPage {
  /** Pictures that were told apart by their times, and how old each was when it was shown, in milliseconds. */
  ages: number[];
  /** Milliseconds from each click to its effect. */
  clicks: number[];
  /** Times that could not be read. */
  unreadable: number;
  /** Milliseconds from the press of a button, or else from leaving for the page, to the first and to the last drawing before `begin`. */
  first: number;
  last: number;
}

/** Looks at the canvas whenever something was drawn on it. */
export const watchScript = `
window.watched = { ages: [], clicks: [], unreadable: 0, first: 0, last: 0 };
{
  const { prototype } = CanvasRenderingContext2D;
  const [bits, size, inset] = [${bits}, ${bitSize}, ${clickBlock.inset - clickBlock.side / 2}];
  let [last, pressed, wasBlue, due, since, begun] = [-1, 0, undefined, false, 0, false];
  const open = HTMLCanvasElement.prototype.getContext;
  // Read often: kept in memory, in every viewer alike.
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
  const look = (context) => {
    due = false;
    const { width, height } = context.canvas;
    const mark = readTime(context);
    if (mark < 0) watched.unreadable += 1;
    else if (mark !== last) {
      last = mark;
      const age = Math.floor(performance.timeOrigin + performance.now()) % 2 ** bits - mark;
      if (age > -20 && age < 20000) watched.ages.push(age);
    }
    const [red, , blue] = context.getImageData(width - inset, height - inset, 1, 1).data;
    const isBlue = blue > red;
    if (pressed > 0 && wasBlue !== undefined && isBlue !== wasBlue) {
      watched.clicks.push(performance.now() - pressed);
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
      seen(this);
    };
  }
  window.addEventListener('pointerdown', () => (pressed = performance.now()), true);
  window.addEventListener('click', () => (since ||= performance.now()), true);
  watched.begin = () => {
    begun = true;
    Object.assign(watched, { ages: [], clicks: [], unreadable: 0 });
  };
}`;
