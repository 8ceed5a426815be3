/** The pointer of an X11 display: its shape, reported by XFixes, and its position, queried when an input device moves it. */
import type x11 from 'x11';
import type { CursorShape } from '../../desktop.ts';
import { coalesceQueries } from '../../helper/coalesce-queries.ts';
import type { X11Connection } from './connection.ts';

export type CursorListener = (cursor: { x: number; y: number; shape?: CursorShape }) => void;

const shapesOfDisplay = 1;
const allMasterDevices = 1;

/** Calls the listener at once with shape and position, and then with each change; the returned function unsubscribes. */
export async function watchCursor(connection: X11Connection, listener: CursorListener): Promise<() => void> {
  const { client, root, call } = connection;
  const fixes = await connection.extension('fixes');
  const updateShape = coalesceQueries(async () => {
    const image = await call<x11.CursorImage>((done) => fixes.GetCursorImage(done));
    listener({ x: image.x, y: image.y, shape: shapeOf(image) });
  });
  const updatePosition = coalesceQueries(async () => {
    const { rootX, rootY } = await call<{ rootX: number; rootY: number }>((done) =>
      client.QueryPointer(root, done),
    );
    listener({ x: rootX, y: rootY });
  });
  fixes.SelectCursorInput(root, shapesOfDisplay);
  await selectMotion(connection);
  const stop = connection.onEvent(({ name }) => {
    if (name === 'CursorNotify') updateShape();
    else if (name === 'XIRawMotion') updatePosition();
  });
  updateShape();
  return stop;
}

/** Without XInput 2, as on old displays, the position is reported only with each new shape. */
async function selectMotion(connection: X11Connection): Promise<void> {
  const input = await connection.extension('xinput').catch(() => undefined);
  if (input?.xi2) input.XISelectEvents(connection.root, { deviceId: allMasterDevices, mask: ['RawMotion'] });
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
