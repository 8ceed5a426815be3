/** Captures an X11 screen: changes are reported by the Damage extension, and pixels come through shared memory if possible. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Capture, Pixels } from '../../desktop.ts';
import { NotPossible } from '../../platform.ts';
import type x11 from 'x11';
import type { X11Connection } from './connection.ts';
import { watchCursor, type CursorListener } from './cursor.ts';
import { shareMemory, type SharedMemory } from './shared-memory.ts';

/** Damage is reported once, and again only after it was fetched. */
const whenNotEmpty = 3;
const [wholePixels, allPlanes] = [2, 0xffff_ffff];
const depths = [24, 32];

interface State {
  connection: X11Connection;
  memory: SharedMemory | undefined;
  /** The id of the damage object on the display. */
  damageId: number;
  stops: (() => void)[];
  isClosed: boolean;
}

export async function openCapture(connection: X11Connection): Promise<Capture> {
  const { client, root, call } = connection;
  requireDepth(connection);
  const [damage, fixes] = [await connection.extension('damage'), await connection.extension('fixes')];
  const size = await call<{ width: number; height: number }>((done) => client.GetGeometry(root, done));
  const memory = await shareMemory(connection, size.width * size.height);
  const [damageId, region] = [client.AllocID(), client.AllocID()];
  damage.Create(damageId, root, whenNotEmpty);
  fixes.CreateRegion(region, []);
  const state: State = { connection, memory, damageId, stops: [], isClosed: false };
  return {
    async damage() {
      damage.Subtract(damageId, 0, region);
      const { rectangles } = await call<{ rectangles: x11.Rectangle[] }>((done) =>
        fixes.FetchRegion(region, done),
      );
      return rectangles;
    },
    grab: (boxes) => grab(state, boxes),
    onDamage: (listener) => listenForDamage(state, listener),
    onCursor: (listener) => listenForCursor(state, listener),
    close() {
      if (state.isClosed) return;
      state.isClosed = true;
      for (const stop of state.stops) stop();
      if (connection.isOpen()) {
        damage.Destroy(damageId);
        fixes.DestroyRegion(region);
      }
      memory?.close();
    },
  };
}

function requireDepth({ screen }: X11Connection): void {
  if (!depths.includes(screen.root_depth))
    throw new NotPossible(
      `The display has a colour depth of ${screen.root_depth} bits; the agent supports only 24.`,
    );
}

async function grab({ connection, memory, isClosed }: State, boxes: readonly Box[]): Promise<Pixels[]> {
  if (isClosed) throw new NotPossible('The picture is no longer watched.');
  return memory ? grabShared(memory, boxes) : Promise.all(boxes.map((box) => grabPlain(connection, box)));
}

function listenForDamage({ connection, damageId, stops }: State, listener: () => void): void {
  stops.push(
    connection.onEvent((event) => {
      if (event.name === 'DamageNotify' && event['damage'] === damageId) listener();
    }),
  );
}

function listenForCursor(state: State, listener: CursorListener): void {
  void watchCursor(state.connection, (cursor) => void (state.isClosed || listener(cursor))).then(
    (stop) => void (state.isClosed ? stop() : state.stops.push(stop)),
    () => undefined,
  );
}

/** Stores the boxes one after the other in the shared memory. */
async function grabShared(memory: SharedMemory, boxes: readonly Box[]): Promise<Pixels[]> {
  let next = 0;
  const grabbed = boxes.map((box) => {
    const offset = next;
    next += box.width * box.height;
    return { box, words: memory.words, offset, stride: box.width };
  });
  if (next > memory.words.length) throw new Error('The boxes to grab are larger than the screen.');
  await Promise.all(grabbed.map(({ box, offset }) => memory.fill(box, offset)));
  return grabbed;
}

async function grabPlain({ client, root, call }: X11Connection, box: Box): Promise<Pixels> {
  const { x, y, width, height } = box;
  const { data } = await call<{ data: Buffer }>((done) =>
    client.GetImage(wholePixels, root, x, y, width, height, allPlanes, done),
  );
  // A Uint32Array must start at a multiple of 4 bytes.
  const bytes = data.byteOffset % 4 === 0 ? data : new Uint8Array(data);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, width * height);
  return { box, words, offset: 0, stride: width };
}
