/** Takes what other programs drag over a window, by the XDND protocol. */
import type x11 from 'x11';
import type { DropListener } from '../../../drag/file-drags.ts';
import type { X11Connection } from '../connection.ts';
import { convertSelection } from './convert-selection.ts';
import { numberBytes, uint32sIn, type XdndAtoms } from './xdnd-atoms.ts';

/** A window over which programs drag. */
export interface DropWindow {
  connection: X11Connection;
  atoms: XdndAtoms;
  window: number;
}

interface State extends DropWindow {
  listener: TakingListener;
  /** The window of the program that drags over this one. */
  source: number;
  /** Whether what is dragged can be dropped; undefined until the program is asked, and again if it did not answer. */
  isAccepted: Promise<boolean> | undefined;
}

const protocolVersion = 5;
const clientMessage = 33;
/** Flags of XdndStatus: the drop is accepted, and further positions are wanted. */
const [accepts, wantsPositions] = [1, 2];

interface TakingListener extends DropListener<string> {
  /** The program did not say in time what it drags. It is asked again when the pointer moves. */
  onNoAnswer?(): void;
}

/** The window must not be shown before. The returned function ends it. */
export function takeDrags(place: DropWindow, listener: TakingListener): () => void {
  const { connection, atoms, window } = place;
  const { client } = connection;
  // Some programs drag only over windows with a name.
  const { WM_NAME: name, STRING: text, ATOM: atom } = client.atoms;
  client.ChangeProperty(0, window, name!, text!, 8, Buffer.from('Drawbridge drop target'));
  client.ChangeProperty(0, window, atoms.XdndAware, atom!, 32, numberBytes(protocolVersion));
  const state: State = { ...place, listener, source: 0, isAccepted: undefined };
  return connection.onEvent((event) => void handleEvent(state, event).catch(() => {}));
}

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
  if (state.isAccepted === undefined) listener.onNoAnswer?.();
}

async function takeDrop(state: State, time: number): Promise<void> {
  const { atoms, source, listener } = state;
  const isAccepted = await (state.isAccepted ??= readDragged(state, time));
  send(state, source, atoms.XdndFinished, [isAccepted ? 1 : 0, isAccepted ? atoms.XdndActionCopy : 0, 0, 0]);
  if (isAccepted) listener.onDrop();
}

async function readDragged(state: State, time: number): Promise<boolean> {
  const { connection, atoms, window, listener } = state;
  const data = await convertSelection(connection, {
    window,
    property: atoms.DRAWBRIDGE_DRAG,
    selection: atoms.XdndSelection,
    target: atoms['text/uri-list'],
    time,
  });
  if (data === 'no answer') state.isAccepted = undefined;
  return typeof data !== 'string' && listener.onFiles(data.toString('utf8'));
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
