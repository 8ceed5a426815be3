/** A small invisible window under the pointer that takes what another program drags, by the XDND protocol. */
import type x11 from 'x11';
import type { DropListener, DropTarget } from '../../../drag/file-drags.ts';
import type { X11Connection } from '../connection.ts';
import { convertSelection } from './convert-selection.ts';
import { uint32sIn, type XdndAtoms } from './xdnd-atoms.ts';

interface State {
  listener: DropListener<string>;
  connection: X11Connection;
  atoms: XdndAtoms;
  window: number;
  /** The window of the program that drags over this one. */
  source: number;
  /** Whether what is dragged can be dropped; undefined until it was asked for. */
  isAccepted: Promise<boolean> | undefined;
}

const sidePixels = 64;
const protocolVersion = 5;
const inputOnly = 2;
const clientMessage = 33;
const motion = 6;
/** Flags of XdndStatus: the drop is accepted, and further positions are wanted. */
const [accepts, wantsPositions] = [1, 2];

/** It covers nothing: the picture stays as it is, and events that it does not take reach the windows below. */
export function showDropWindow(
  connection: X11Connection,
  { atoms, xtest }: { atoms: XdndAtoms; xtest: x11.Extensions['xtest'] },
  position: { x: number; y: number },
  listener: DropListener<string>,
): DropTarget {
  const { client, root } = connection;
  const window = client.AllocID();
  const { x, y } = cornerOf(position);
  client.CreateWindow(window, root, x, y, sidePixels, sidePixels, 0, 0, inputOnly, 0, {
    overrideRedirect: true,
  });
  // Some programs drag only over windows with a name.
  const { WM_NAME: name, STRING: text, ATOM: atom } = client.atoms;
  client.ChangeProperty(0, window, name!, text!, 8, Buffer.from('Drawbridge drop target'));
  client.ChangeProperty(0, window, atoms.XdndAware, atom!, 32, numberBytes(protocolVersion));
  client.MapWindow(window);
  client.RaiseWindow(window);
  stirPointer(connection, xtest, position);
  const state: State = { listener, connection, atoms, window, source: 0, isAccepted: undefined };
  const stopListening = connection.onEvent((event) => void handleEvent(state, event).catch(() => {}));
  return {
    move(toX, toY) {
      const corner = cornerOf({ x: toX, y: toY });
      client.MoveWindow(window, corner.x, corner.y);
    },
    close() {
      stopListening();
      client.DestroyWindow(window);
    },
  };
}

/** Programs look for what is under the pointer only when it moves. */
function stirPointer(
  { root }: X11Connection,
  xtest: x11.Extensions['xtest'],
  { x, y }: { x: number; y: number },
): void {
  for (const nextX of [x > 0 ? x - 1 : x + 1, x]) xtest.FakeInput(motion, 0, 0, root, nextX, y);
}

const cornerOf = ({ x, y }: { x: number; y: number }): { x: number; y: number } => ({
  x: x - sidePixels / 2,
  y: y - sidePixels / 2,
});

const numberBytes = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);

async function handleEvent(state: State, { rawData }: x11.Event): Promise<void> {
  const { window, atoms } = state;
  const bytes = rawData as Buffer;
  if ((bytes[0]! & 0x7f) !== clientMessage || bytes.readUInt32LE(4) !== window) return;
  const type = bytes.readUInt32LE(8);
  const [source = 0, , second = 0, third = 0] = uint32sIn(bytes.subarray(12));
  if (type === atoms.XdndEnter) state.source = source;
  if (source !== state.source) return;
  if (type === atoms.XdndPosition) await answerPosition(state, third);
  if (type === atoms.XdndDrop) await takeDrop(state, second);
}

async function answerPosition(state: State, time: number): Promise<void> {
  const { atoms, source, listener } = state;
  const isFirst = state.isAccepted === undefined;
  const isAccepted = await (state.isAccepted ??= readDragged(state, time));
  const flags = wantsPositions | (isAccepted ? accepts : 0);
  send(state, source, atoms.XdndStatus, [flags, 0, 0, isAccepted ? atoms.XdndActionCopy : 0]);
  if (isFirst && isAccepted) listener.onAccepted();
}

async function takeDrop(state: State, time: number): Promise<void> {
  const { atoms, source, listener } = state;
  const isAccepted = await (state.isAccepted ??= readDragged(state, time));
  send(state, source, atoms.XdndFinished, [isAccepted ? 1 : 0, isAccepted ? atoms.XdndActionCopy : 0, 0, 0]);
  if (isAccepted) listener.onDrop();
}

async function readDragged({ connection, atoms, window, listener }: State, time: number): Promise<boolean> {
  const data = await convertSelection(connection, {
    window,
    property: atoms.DRAWBRIDGE_DRAG,
    selection: atoms.XdndSelection,
    target: atoms['text/uri-list'],
    time,
  });
  return data !== undefined && listener.onFiles(data.toString('utf8'));
}

function send(
  { connection: { client }, window }: State,
  to: number,
  type: number,
  numbers: readonly number[],
): void {
  const event = Buffer.alloc(32);
  event.set([clientMessage, 32]);
  [to, type, window, ...numbers].forEach((field, index) => event.writeUInt32LE(field >>> 0, 4 + 4 * index));
  client.SendEvent(to, 0, 0, event);
}
