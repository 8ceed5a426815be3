/** The picture of an X11 screen: what changed, told by the extension Damage, and its pixels. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Capture, Pixels } from '../../desktop.ts';
import { NotPossible } from '../../platform.ts';
import type x11 from 'x11';
import type { X11Connection } from './connection.ts';
import { watchCursor } from './cursor.ts';
import { shareMemory, type SharedMemory } from './shared-memory.ts';

/** Damage is told once, and then again only after it was fetched. */
const whenNotEmpty = 3;
const [wholePixels, allPlanes] = [2, 0xffff_ffff];
const depths = [24, 32];

export async function openCapture(connection: X11Connection): Promise<Capture> {
  const { client, root, call, screen } = connection;
  if (!depths.includes(screen.root_depth))
    throw new NotPossible(
      `The display has a colour depth of ${screen.root_depth} bits; the agent supports only 24.`,
    );
  const [damage, fixes] = [await connection.extension('damage'), await connection.extension('fixes')];
  const size = await call<{ width: number; height: number }>((done) => client.GetGeometry(root, done));
  const memory = await shareMemory(connection, size.width * size.height);
  const [object, region] = [client.AllocID(), client.AllocID()];
  damage.Create(object, root, whenNotEmpty);
  fixes.CreateRegion(region, []);
  const stops: (() => void)[] = [];
  let isClosed = false;
  return {
    async damage() {
      damage.Subtract(object, 0, region);
      const { rectangles } = await call<{ rectangles: x11.Rectangle[] }>((done) =>
        fixes.FetchRegion(region, done),
      );
      return rectangles;
    },
    async grab(boxes) {
      if (isClosed) throw new NotPossible('The picture is no longer watched.');
      return memory ? grabShared(memory, boxes) : Promise.all(boxes.map((box) => grabPlain(connection, box)));
    },
    onDamage(listener) {
      stops.push(
        connection.onEvent((event) => {
          if (event.name === 'DamageNotify' && event['damage'] === object) listener();
        }),
      );
    },
    onCursor(listener) {
      void watchCursor(connection, (cursor) => isClosed || listener(cursor)).then(
        (stop) => void (isClosed ? stop() : stops.push(stop)),
        () => undefined,
      );
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      for (const stop of stops) stop();
      if (connection.isOpen()) {
        damage.Destroy(object);
        fixes.DestroyRegion(region);
      }
      memory?.close();
    },
  };
}

/** The boxes lie one after another in the shared memory. */
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
  // Numbers of 4 bytes must begin at a multiple of 4.
  const bytes = data.byteOffset % 4 === 0 ? data : new Uint8Array(data);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, width * height);
  return { box, words, offset: 0, stride: width };
}
