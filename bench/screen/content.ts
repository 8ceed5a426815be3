/** The program that draws the content of the measurements on a display: `content.ts motion|pauses|scroll|type|still`. Ends with its parent. */
import { connectToDisplay, type X11Connection } from '@drawbridge/agent/platform/linux/x11/connection';
import { internAtoms } from '@drawbridge/agent/platform/linux/x11/intern-atoms';
import { clickBlock, blue, boxesOf, red, timeMark, type BenchScreenSize } from './marks.ts';
import { motion } from './motion.ts';
import { lineHeight, openLineRenderer, backgroundColour, sourceLines, type LineRenderer } from './text.ts';

/** Draws one step of the content. */
type Step = () => void;

interface Canvas extends BenchScreenSize {
  connection: X11Connection;
  window: number;
  gc: number;
}

const [pixmaps, exposures, buttonPresses, keyPresses] = [2, 1 << 15, 1 << 2, 1 << 0];
/** Who has the keyboard when a window that has it goes: nobody matters here. */
const noRevert = 0;
const stepsPerSecond: Record<string, number> = { motion: 30, pauses: 30, scroll: 20, type: 10 };
/** A film that pauses shows this many frames, and then nothing for as long as so many. */
const [filmSteps, pauseSteps] = [45, 30];

interface NewWindow extends BenchScreenSize {
  x: number;
  y: number;
  colour: number;
}

function createWindow({ client }: X11Connection, parent: number, { colour, ...box }: NewWindow): number {
  const window = client.AllocID();
  client.CreateWindow(window, parent, box.x, box.y, box.width, box.height, 0, 0, 0, 0, {
    backgroundPixel: colour,
    eventMask: exposures | buttonPresses | keyPresses,
  });
  return window;
}

/** Covers the whole screen, also where a desktop places windows. Resolves when it is shown: what is drawn before would be lost. */
async function openFullScreen(connection: X11Connection, size: BenchScreenSize): Promise<number> {
  const { client, root } = connection;
  const names = ['_NET_WM_STATE', '_NET_WM_STATE_FULLSCREEN'] as const;
  const { _NET_WM_STATE: state, _NET_WM_STATE_FULLSCREEN: fullScreen } = await internAtoms(connection, names);
  const window = createWindow(connection, root, { x: 0, y: 0, ...size, colour: backgroundColour });
  client.ChangeProperty(0, window, state, client.atoms['ATOM']!, 32, [fullScreen]);
  const { promise: shown, resolve } = Promise.withResolvers<void>();
  const stopListening = connection.onEvent((event) => {
    if (event.name === 'Expose' && event.wid === window) resolve();
  });
  client.MapWindow(window);
  await shown.finally(stopListening);
  return window;
}

/** Splits the image into strips that fit into one request. */
function put(
  canvas: Canvas,
  drawable: number,
  pixels: Uint32Array,
  at: BenchScreenSize & { x: number; y: number },
): void {
  const { client } = canvas.connection;
  const rows = Math.max(1, Math.floor(50_000 / at.width));
  for (let row = 0; row < at.height; row += rows) {
    const height = Math.min(rows, at.height - row);
    const part = pixels.subarray(row * at.width, (row + height) * at.width);
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    client.PutImage(pixmaps, drawable, canvas.gc, at.width, height, at.x, at.y + row, 0, 24, bytes);
  }
}

function drawTime({ connection: { client }, gc }: Canvas, drawable: number): void {
  const mark = timeMark(Date.now());
  for (const set of [false, true]) {
    client.ChangeGC(gc, { foreground: set ? 0xffffff : 0 });
    client.PolyFillRectangle(drawable, gc, boxesOf(mark, set));
  }
}

/** The frames are stored in the display's memory, so that showing one is a single copy, as in a video player. */
function showMotion(canvas: Canvas): Step {
  const { connection, window, gc, width, height } = canvas;
  const { client } = connection;
  const stored = [...motion(canvas)].map((pixels) => {
    const pixmap = client.AllocID();
    client.CreatePixmap(pixmap, window, 24, width, height);
    put(canvas, pixmap, pixels, { x: 0, y: 0, width, height });
    return pixmap;
  });
  const round = [...stored, ...stored.slice(1, -1).toReversed()];
  let number = 0;
  return () => {
    const pixmap = round[(number += 1) % round.length]!;
    drawTime(canvas, pixmap);
    client.CopyArea(pixmap, window, gc, 0, 0, 0, 0, width, height);
  };
}

function showPauses(canvas: Canvas): Step {
  const show = showMotion(canvas);
  let number = 0;
  return () => {
    number = (number + 1) % (filmSteps + pauseSteps);
    if (number < filmSteps) show();
  };
}

/** The text area below the timestamp, a whole number of lines high. */
const textTop = lineHeight;

function scrollBy({ connection, window, gc, width, height }: Canvas): void {
  const lines = Math.floor((height - textTop) / lineHeight);
  const moved = (lines - 1) * lineHeight;
  connection.client.CopyArea(window, window, gc, 0, textTop + lineHeight, 0, textTop, width, moved);
}

const lastLine = ({ height }: BenchScreenSize): number =>
  textTop + (Math.floor((height - textTop) / lineHeight) - 1) * lineHeight;

function fillWithText(canvas: Canvas, writer: LineRenderer, lines: Iterator<string>): void {
  for (let y = textTop; y <= lastLine(canvas); y += lineHeight) {
    const at = { x: 0, y, width: canvas.width, height: lineHeight };
    put(canvas, canvas.window, writer.line(lines.next().value as string, canvas.width), at);
  }
}

function showScroll(canvas: Canvas): Step {
  const [writer, lines] = [openLineRenderer(), sourceLines()];
  fillWithText(canvas, writer, lines);
  return () => {
    scrollBy(canvas);
    const at = { x: 0, y: lastLine(canvas), width: canvas.width, height: lineHeight };
    put(canvas, canvas.window, writer.line(lines.next().value as string, canvas.width), at);
    drawTime(canvas, canvas.window);
  };
}

const columns = 90;

function showTyping(canvas: Canvas): Step {
  const [writer, lines] = [openLineRenderer(), sourceLines()];
  fillWithText(canvas, writer, lines);
  let [text, column] = ['', columns];
  return () => {
    if (column === columns) {
      scrollBy(canvas);
      text = (lines.next().value as string).padEnd(columns, 'x');
      const at = { x: 0, y: lastLine(canvas), width: canvas.width, height: lineHeight };
      put(canvas, canvas.window, writer.line('', canvas.width), at);
      column = 0;
    }
    const at = { x: column * writer.advance, y: lastLine(canvas), width: writer.advance, height: lineHeight };
    put(canvas, canvas.window, writer.line(text[column]!, writer.advance), at);
    column += 1;
    drawTime(canvas, canvas.window);
  };
}

function showNothing(canvas: Canvas): Step {
  fillWithText(canvas, openLineRenderer(), sourceLines());
  drawTime(canvas, canvas.window);
  return () => {};
}

const shows: Record<string, (canvas: Canvas) => Step> = {
  motion: showMotion,
  pauses: showPauses,
  scroll: showScroll,
  type: showTyping,
  still: showNothing,
};

/** Turns the block's colour with every click on it, and with every key. */
function answerInput(canvas: Canvas): void {
  const { connection, width, height } = canvas;
  const { side, inset } = clickBlock;
  const place = { x: width - inset, y: height - inset, width: side, height: side, colour: red };
  // A part of the window below, so that it gets the keys of that window while the pointer is over it.
  const window = createWindow(connection, canvas.window, place);
  connection.client.MapWindow(window);
  let isBlue = false;
  connection.onEvent((event) => {
    const isInput = event.name === 'ButtonPress' || event.name === 'KeyPress';
    if (event.wid !== window || !(isInput || event.name === 'Expose')) return;
    // Windows take the keyboard with a click, where no desktop gives it to them.
    if (event.name === 'ButtonPress') connection.client.SetInputFocus(canvas.window, noRevert);
    if (isInput) isBlue = !isBlue;
    connection.client.ChangeGC(canvas.gc, { foreground: isBlue ? blue : red });
    connection.client.PolyFillRectangle(window, canvas.gc, [0, 0, side, side]);
  });
}

/** Runs on the clock's schedule; a late step is skipped. */
function keepTime(step: Step, perSecond: number): void {
  const started = performance.now();
  let number = 0;
  const next = (): void => {
    step();
    number = Math.max(number + 1, Math.floor(((performance.now() - started) * perSecond) / 1_000));
    setTimeout(next, Math.max(0, started + (number * 1_000) / perSecond - performance.now()));
  };
  next();
}

const kind = process.argv[2] ?? 'still';
const connection = await connectToDisplay();
const { client, screen } = connection;
const size = { width: screen.pixel_width, height: screen.pixel_height };
const gc = client.AllocID();
const window = await openFullScreen(connection, size);
client.CreateGC(gc, window, { graphicsExposures: 0 });
const canvas: Canvas = { ...size, connection, window, gc };
const step = shows[kind]!(canvas);
step();
answerInput(canvas);
await connection.call((done) => client.GetGeometry(connection.root, done));
process.send?.('ready');
process.once('disconnect', () => process.exit(0));
connection.onClose(() => process.exit(0));
const perSecond = stepsPerSecond[kind];
if (perSecond !== undefined) keepTime(step, perSecond);
