/** Answers requests for the clipboard while the agent owns it: in one property, or incrementally if the text is long. */
import type x11 from 'x11';
import type { Atoms } from './selection-atoms.ts';
import type { X11Connection } from './connection.ts';

export interface SelectionServer {
  setText(text: string): void;
  handleEvent(event: x11.Event): void;
}

interface SelectionRequest {
  time: number;
  owner: number;
  requestor: number;
  selection: number;
  target: number;
  property: number;
}

const partBytes = 65_536;
const replace = 0;
const deleted = 1;
const propertyChange = 0x40_0000;
/** Above this number, the oldest transfer is dropped, because some programs never read their parts. */
const maxTransfers = 8;

interface State {
  client: x11.Client;
  atoms: Atoms;
  /** The targets that are answered with the text. */
  textTargets: ReadonlySet<number>;
  text: Buffer;
  /** What remains to be sent, by window and property. */
  transfers: Map<string, { target: number; rest: Buffer }>;
}

export function createSelectionServer(
  { client }: X11Connection,
  { window, atoms }: { window: number; atoms: Atoms },
): SelectionServer {
  const textTargets = new Set([
    atoms.UTF8_STRING,
    atoms.TEXT,
    atoms.STRING,
    atoms['text/plain;charset=utf-8'],
    atoms['text/plain'],
  ]);
  const state: State = { client, atoms, textTargets, text: Buffer.alloc(0), transfers: new Map() };
  return {
    setText: (text) => void (state.text = Buffer.from(text)),
    handleEvent(event) {
      if (event.name === 'SelectionRequest' && event['owner'] === window)
        answer(state, event as unknown as SelectionRequest);
      if (event.name === 'PropertyNotify' && event['state'] === deleted && event.wid !== window)
        sendPart(state, event.wid!, event['atom'] as number);
    },
  };
}

function answer(state: State, request: SelectionRequest): void {
  const { client, atoms, textTargets } = state;
  const { requestor, target } = request;
  const property = request.property || target;
  if (target === atoms.TARGETS)
    client.ChangeProperty(replace, requestor, property, atoms.ATOM, 32, [atoms.TARGETS, ...textTargets]);
  else if (textTargets.has(target)) sendText(state, { ...request, property });
  else return notify(client, { ...request, property: 0 });
  notify(client, { ...request, property });
}

function sendText(state: State, { requestor, property, target }: SelectionRequest): void {
  const { client, atoms, text, transfers } = state;
  if (text.length <= partBytes) return client.ChangeProperty(replace, requestor, property, target, 8, text);
  const [oldest] = transfers.keys();
  if (transfers.size >= maxTransfers && oldest !== undefined) transfers.delete(oldest);
  transfers.set(`${requestor}/${property}`, { target, rest: text });
  client.ChangeWindowAttributes(requestor, { eventMask: propertyChange });
  client.ChangeProperty(replace, requestor, property, atoms.INCR, 32, [text.length]);
}

/** The last part is empty, which tells the program that the text is complete. */
function sendPart({ client, transfers }: State, requestor: number, property: number): void {
  const key = `${requestor}/${property}`;
  const transfer = transfers.get(key);
  if (!transfer) return;
  const part = transfer.rest.subarray(0, partBytes);
  transfer.rest = transfer.rest.subarray(partBytes);
  client.ChangeProperty(replace, requestor, property, transfer.target, 8, Buffer.from(part));
  if (part.length === 0) transfers.delete(key);
}

const selectionNotify = 31;

function notify(
  client: x11.Client,
  { time, requestor, selection, target, property }: Omit<SelectionRequest, 'owner'>,
): void {
  const event = Buffer.alloc(32);
  event[0] = selectionNotify;
  [time, requestor, selection, target, property].forEach((field, index) =>
    event.writeUInt32LE(field >>> 0, 4 + 4 * index),
  );
  client.SendEvent(requestor, 0, 0, event);
}
