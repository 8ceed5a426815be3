/** An X11 display for one test, with nobody at it, and functions that draw on it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { connectToDisplay, type X11Connection } from '@drawbridge/agent/platform/linux/x11/connection';
import { findXvfb } from '../requirements.ts';
import { boundToParent } from '../process.ts';

export interface DisplayBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface TestDisplay extends AsyncDisposable {
  /** Such as `:5`. */
  name: string;
  connection: X11Connection;
  /** Fills a rectangle with one colour. */
  paint(box: DisplayBox, colour: number): void;
  /** Draws pixels, one number per pixel. */
  draw(box: DisplayBox, pixels: Uint32Array): void;
  /** Copies a rectangle to another position, as a program that scrolls does. */
  move(box: DisplayBox, toX: number, toY: number): void;
  /** Resolves when everything drawn so far is on the display. */
  done(): Promise<void>;
  /**
   * Divides the screen into monitors, from left to right in this order, named with this prefix and a number.
   */
  divide(widths: readonly number[], name?: string): Promise<void>;
  /** Removes one of these monitors. */
  removeMonitor(name: string): Promise<void>;
  /** Moves the pointer as a mouse does. */
  point(x: number, y: number): Promise<void>;
  /** Gives the screen a pointer of this size in one colour. */
  shapePointer(size: number, colour: number): void;
  /** Stops the display server, or continues it. */
  freeze(isFrozen: boolean): void;
  /** Ends the display while others still use it. */
  stop(): Promise<void>;
  /** Every pixel as it really is, without the unused byte. */
  pixels(): Promise<Uint32Array>;
}

/** Starts a display and makes it the one the agent in this process finds. */
export function startDisplay(
  width: number,
  height: number,
  /** Such as `-extension MIT-SHM`, for a display without it. */
  more: readonly string[] = [],
): Promise<TestDisplay> {
  const size = `${width}x${height}x24`;
  return startXServer(findXvfb()!, ['-screen', '0', size, ...more]);
}

/** The same with any program that is an X11 display. */
export async function startXServer(program: string, args: readonly string[]): Promise<TestDisplay> {
  const all = ['-displayfd', '3', '-nolisten', 'tcp', '-noreset', ...args];
  const child = spawn(...boundToParent(program, all), { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [number] = (await once(child.stdio[3] as Readable, 'data')) as [Buffer];
  const name = `:${number.toString().trim()}`;
  const before = process.env['DISPLAY'];
  process.env['DISPLAY'] = name;
  const connection = await connectToDisplay();
  return {
    name,
    connection,
    ...createPainter(connection),
    ...createInputDevices(connection),
    removeMonitor: (called) => removeMonitor(connection, called),
    stop: () => stop(child),
    freeze: (isFrozen) => void child.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT'),
    async [Symbol.asyncDispose]() {
      connection.close();
      if (before === undefined) delete process.env['DISPLAY'];
      else process.env['DISPLAY'] = before;
      await stop(child);
    },
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

function createPainter({
  client,
  root,
  call,
}: X11Connection): Pick<TestDisplay, 'paint' | 'draw' | 'move' | 'done' | 'pixels'> {
  const gc = client.AllocID();
  // Draws also on what windows cover.
  client.CreateGC(gc, root, { subwindowMode: 1, graphicsExposures: 0 });
  return {
    paint({ x, y, width, height }, colour) {
      client.ChangeGC(gc, { foreground: colour });
      client.PolyFillRectangle(root, gc, [x, y, width, height]);
    },
    draw({ x, y, width, height }, pixels) {
      const bytes = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
      client.PutImage(2, root, gc, width, height, x, y, 0, 24, bytes);
    },
    move: ({ x, y, width, height }, toX, toY) =>
      client.CopyArea(root, root, gc, x, y, toX, toY, width, height),
    async done() {
      await call((done) => client.GetGeometry(root, done));
    },
    async pixels() {
      const { width, height } = await call<{ width: number; height: number }>((done) =>
        client.GetGeometry(root, done),
      );
      const { data } = await call<{ data: Buffer }>((done) =>
        client.GetImage(2, root, 0, 0, width, height, 0xffff_ffff, done),
      );
      return new Uint32Array(new Uint8Array(data).buffer).map((pixel) => pixel & 0xffffff);
    },
  };
}

const [setMonitor, deleteMonitor] = [43, 44];
const motion = 6;

function createInputDevices(
  connection: X11Connection,
): Pick<TestDisplay, 'divide' | 'point' | 'shapePointer'> {
  const { client, root, call, screen } = connection;
  return {
    async divide(widths, called = 'test-') {
      const randr = await connection.extension('randr');
      const { outputs } = await call<{ outputs: number[] }>((done) =>
        randr.GetScreenResourcesCurrent(root, done),
      );
      let x = 0;
      for (const [index, width] of widths.entries()) {
        const name = await call<number>((done) => client.InternAtom(false, `${called}${index}`, done));
        const held = index === 0 ? outputs.slice(0, 1) : [];
        const kind = held.length << 16;
        const fields = [root, name, kind, x, width | (screen.pixel_height << 16), 100, 100, ...held];
        sendXRequest(connection, { major: randr.majorOpcode, minor: setMonitor }, fields);
        x += width;
      }
      await call((done) => client.GetGeometry(root, done));
    },
    async point(x, y) {
      const xtest = await connection.extension('xtest');
      xtest.FakeInput(motion, 0, 0, root, x, y);
      await call((done) => client.GetGeometry(root, done));
    },
    shapePointer(size, colour) {
      const [pixmap, gc, cursor] = [client.AllocID(), client.AllocID(), client.AllocID()];
      client.CreatePixmap(pixmap, root, 1, size, size);
      client.CreateGC(gc, pixmap, { foreground: 1 });
      client.PolyFillRectangle(pixmap, gc, [0, 0, size, size]);
      const wide = (shift: number): number => ((colour >> shift) & 255) * 257;
      const rgb = { R: wide(16), G: wide(8), B: wide(0) };
      client.CreateCursor(cursor, pixmap, pixmap, rgb, rgb, 0, 0);
      client.ChangeWindowAttributes(root, { cursor });
    },
  };
}

async function removeMonitor(connection: X11Connection, called: string): Promise<void> {
  const { client, root, call } = connection;
  const randr = await connection.extension('randr');
  const name = await call<number>((done) => client.InternAtom(false, called, done));
  sendXRequest(connection, { major: randr.majorOpcode, minor: deleteMonitor }, [root, name]);
  await call((done) => client.GetGeometry(root, done));
}

/** A request without an answer that the package does not implement. */
export function sendXRequest(
  { client }: X11Connection,
  { major, minor }: { major: number; minor: number },
  fields: number[],
): void {
  const request = Buffer.alloc(4 + 4 * fields.length);
  request.set([major, minor]);
  request.writeUInt16LE(1 + fields.length, 2);
  fields.forEach((field, index) => request.writeUInt32LE(field >>> 0, 4 + 4 * index));
  client.seq_num += 1;
  client.pack_stream.put(request);
  client.pack_stream.submit(false);
}
