/** A small invisible window under the pointer that takes what another program drags. */
import type x11 from 'x11';
import type { DropListener, DropTarget } from '../../../drag/file-drags.ts';
import type { UriDrags } from '../../drag/reachable-drags.ts';
import type { X11Connection } from '../connection.ts';
import { takeDrags } from './take-drags.ts';
import type { XdndAtoms } from './xdnd-atoms.ts';

interface Point {
  x: number;
  y: number;
}

interface Deps {
  connection: X11Connection;
  atoms: XdndAtoms;
  xtest: x11.Extensions['xtest'];
}

const sidePixels = 64;
const inputOnly = 2;
const motion = 6;

export async function prepareDropWindow(
  connection: X11Connection,
  atoms: XdndAtoms,
): Promise<UriDrags['openTarget']> {
  const deps: Deps = { connection, atoms, xtest: await connection.extension('xtest') };
  return (position, listener) => showDropWindow(deps, position, listener);
}

/** It covers nothing: the picture stays as it is, and events that it does not take reach the windows below. */
function showDropWindow(deps: Deps, position: Point, listener: DropListener<string>): DropTarget {
  const { connection, atoms } = deps;
  const { client, root } = connection;
  const window = client.AllocID();
  const { x, y } = cornerOf(position);
  client.CreateWindow(window, root, x, y, sidePixels, sidePixels, 0, 0, inputOnly, 0, {
    overrideRedirect: true,
  });
  let at = position;
  const stir = (): void => stirPointer(deps, at);
  const stopTaking = takeDrags({ connection, atoms, window }, { ...listener, onNoAnswer: stir });
  client.MapWindow(window);
  client.RaiseWindow(window);
  stir();
  return {
    move(toX, toY) {
      at = { x: toX, y: toY };
      const corner = cornerOf(at);
      client.MoveWindow(window, corner.x, corner.y);
    },
    close() {
      stopTaking();
      client.DestroyWindow(window);
    },
  };
}

/** Programs look for what is under the pointer only when it moves. */
function stirPointer({ connection: { root }, xtest }: Deps, { x, y }: Point): void {
  for (const nextX of [x > 0 ? x - 1 : x + 1, x]) xtest.FakeInput(motion, 0, 0, root, nextX, y);
}

const cornerOf = ({ x, y }: Point): Point => ({ x: x - sidePixels / 2, y: y - sidePixels / 2 });
