/** A program on an X11 display that drags a file and is busy: it answers each question only when it is asked a second time. */
import { internAtoms } from '@drawbridge/agent/platform/linux/x11/intern-atoms';
import {
  numberBytes,
  uint32sIn,
  xdndAtomNames,
  type XdndAtoms,
} from '@drawbridge/agent/platform/linux/x11/drag/xdnd-atoms';
import type { X11Connection } from '@drawbridge/agent/platform/linux/x11/connection';

interface State {
  connection: X11Connection;
  atoms: XdndAtoms;
  /** The window that drags. */
  window: number;
  uri: string;
  /** The types that it was asked for. */
  asked: Set<number>;
}

interface SelectionRequest {
  requestor: number;
  selection: number;
  target: number;
  property: number;
}

const [selectionNotify, clientMessage, protocolVersion, accepts] = [31, 33, 5, 1];
const [pointerMotion, asynchronous] = [1 << 6, 1];

/** Receives all movements of the pointer, as programs do that drag. */
interface GrabbingClient {
  GrabPointer(
    window: number,
    isForOwner: boolean,
    events: number,
    ...modesAndPlaces: [pointer: number, keyboard: number, confineTo: number, cursor: number, time: number]
  ): void;
}

/** Takes the selection of drags. The returned function drags over a window, whenever the pointer moves, until that accepts what is dragged. */
export async function dragWhileBusy(
  connection: X11Connection,
  uri: string,
): Promise<(over: number) => Promise<void>> {
  const { client, root } = connection;
  const atoms = await internAtoms(connection, xdndAtomNames);
  const window = client.AllocID();
  client.CreateWindow(window, root, 0, 0, 1, 1, 0, 0, 0, 0, {});
  const state: State = { connection, atoms, window, uri, asked: new Set() };
  connection.onEvent((event) => {
    if (event.name === 'SelectionRequest' && event['owner'] === window)
      answerSecond(state, event as unknown as SelectionRequest);
  });
  client.SetSelectionOwner(window, atoms.XdndSelection, 0);
  return (over) => dragOver(state, over);
}

function answerSecond({ connection, atoms, uri, asked }: State, request: SelectionRequest): void {
  const { client } = connection;
  const { requestor, selection, target, property } = request;
  if (!asked.has(target)) return void asked.add(target);
  const isList = target === atoms.TARGETS;
  const data = isList ? numberBytes(atoms['text/uri-list']) : Buffer.from(`${uri}\r\n`);
  client.ChangeProperty(
    0,
    requestor,
    property,
    isList ? client.atoms['ATOM']! : target,
    isList ? 32 : 8,
    data,
  );
  sendEvent(connection, requestor, [selectionNotify, 0], [0, requestor, selection, target, property]);
}

async function dragOver({ connection, atoms, window }: State, over: number): Promise<void> {
  const { promise: accepted, resolve } = Promise.withResolvers<void>();
  const say = (type: number, numbers: readonly number[]): void =>
    sendEvent(connection, over, [clientMessage, 32], [over, type, window, ...numbers]);
  const sayPosition = (): void => say(atoms.XdndPosition, [0, 0, 0, atoms.XdndActionCopy]);
  const grabbing = connection.client as unknown as GrabbingClient;
  grabbing.GrabPointer(connection.root, false, pointerMotion, asynchronous, asynchronous, 0, 0, 0);
  const stopListening = connection.onEvent(({ name, rawData }) => {
    if (name === 'MotionNotify') sayPosition();
    const bytes = rawData as Buffer;
    if ((bytes[0]! & 0x7f) !== clientMessage || bytes.readUInt32LE(8) !== atoms.XdndStatus) return;
    const [, flags = 0] = uint32sIn(bytes.subarray(12));
    if (flags & accepts) resolve();
  });
  say(atoms.XdndEnter, [protocolVersion << 24, atoms['text/uri-list'], 0, 0]);
  sayPosition();
  await accepted.finally(stopListening);
}

function sendEvent(
  { client }: X11Connection,
  to: number,
  head: readonly [type: number, format: number],
  numbers: readonly number[],
): void {
  const event = Buffer.alloc(32);
  event.set(head);
  numbers.forEach((field, index) => event.writeUInt32LE(field >>> 0, 4 + 4 * index));
  client.SendEvent(to, 0, 0, event);
}
