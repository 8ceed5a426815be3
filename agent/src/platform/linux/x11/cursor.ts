/** The pointer of an X11 display: its shape, told by XFixes, and its place, asked for when a device of the display moves it. */
import type x11 from 'x11';
import type { CursorShape } from '../../desktop.ts';
import type { X11Connection } from './connection.ts';

export type CursorListener = (cursor: { x: number; y: number; shape?: CursorShape }) => void;

const shapesOfDisplay = 1;
const allMasterDevices = 1;

/** Calls out with shape and place at once, and from then on with what changes; the answer ends it. */
export async function watchCursor(connection: X11Connection, listener: CursorListener): Promise<() => void> {
  const { client, root, call } = connection;
  const fixes = await connection.extension('fixes');
  const shape = coalesced(async () => {
    const image = await call<x11.CursorImage>((done) => fixes.GetCursorImage(done));
    listener({ x: image.x, y: image.y, shape: shapeOf(image) });
  });
  const place = coalesced(async () => {
    const { rootX, rootY } = await call<{ rootX: number; rootY: number }>((done) =>
      client.QueryPointer(root, done),
    );
    listener({ x: rootX, y: rootY });
  });
  fixes.SelectCursorInput(root, shapesOfDisplay);
  await selectMotion(connection);
  const stop = connection.onEvent(({ name }) => {
    if (name === 'CursorNotify') shape();
    else if (name === 'XIRawMotion') place();
  });
  shape();
  return stop;
}

/** Without it, as on old displays, the place is told with each new shape only. */
async function selectMotion(connection: X11Connection): Promise<void> {
  const input = await connection.extension('xinput').catch(() => undefined);
  if (input?.xi2) input.XISelectEvents(connection.root, { deviceId: allMasterDevices, mask: ['RawMotion'] });
}

/** Asks again only after the last answer: a hundred movements in between make one question. */
function coalesced(ask: () => Promise<void>): () => void {
  let [isAsking, isAskedAgain] = [false, false];
  const run = async (): Promise<void> => {
    isAskedAgain = isAsking;
    if (isAsking) return;
    isAsking = true;
    // A display that is gone answers nothing more, and whoever watches it hears of that elsewhere.
    await ask().catch(() => undefined);
    isAsking = false;
    if (isAskedAgain) await run();
  };
  return () => void run();
}

function shapeOf({ width, height, xhot, yhot, cursorImage }: x11.CursorImage): CursorShape {
  const rgba = new Uint8Array(width * height * 4);
  for (let at = 0; at < rgba.length; at += 4) {
    rgba[at] = cursorImage[at + 2]!;
    rgba[at + 1] = cursorImage[at + 1]!;
    rgba[at + 2] = cursorImage[at]!;
    rgba[at + 3] = cursorImage[at + 3]!;
  }
  return { width, height, hotX: xhot, hotY: yhot, rgba };
}
