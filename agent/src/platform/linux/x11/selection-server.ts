/** Giving programs what the clipboard holds, while this side owns it: in one property, or piece by piece where it is long. */
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

const pieceBytes = 65_536;
const replace = 0;
const deleted = 1;
const propertyChange = 0x40_0000;
/** Programs that never take their pieces are forgotten. */
const maxTransfers = 8;

export function createSelectionServer(
  { client }: X11Connection,
  { window, atoms }: { window: number; atoms: Atoms },
): SelectionServer {
  let text = Buffer.alloc(0);
  const asText = new Set([
    atoms.UTF8_STRING,
    atoms.TEXT,
    atoms.STRING,
    atoms['text/plain;charset=utf-8'],
    atoms['text/plain'],
  ]);
  /** What is left to give, by window and property. */
  const transfers = new Map<string, { target: number; left: Buffer }>();

  const giveText = ({ requestor, property, target }: SelectionRequest): void => {
    if (text.length <= pieceBytes)
      return client.ChangeProperty(replace, requestor, property, target, 8, text);
    const [oldest] = transfers.keys();
    if (transfers.size >= maxTransfers && oldest !== undefined) transfers.delete(oldest);
    transfers.set(`${requestor}/${property}`, { target, left: text });
    client.ChangeWindowAttributes(requestor, { eventMask: propertyChange });
    client.ChangeProperty(replace, requestor, property, atoms.INCR, 32, [text.length]);
  };
  /** The last piece is empty: so the program knows that it has all. */
  const givePiece = (requestor: number, property: number): void => {
    const key = `${requestor}/${property}`;
    const transfer = transfers.get(key);
    if (!transfer) return;
    const piece = transfer.left.subarray(0, pieceBytes);
    transfer.left = transfer.left.subarray(pieceBytes);
    client.ChangeProperty(replace, requestor, property, transfer.target, 8, Buffer.from(piece));
    if (piece.length === 0) transfers.delete(key);
  };
  const answer = (request: SelectionRequest): void => {
    const property = request.property || request.target;
    const { requestor, target } = request;
    if (target === atoms.TARGETS)
      client.ChangeProperty(replace, requestor, property, atoms.ATOM, 32, [atoms.TARGETS, ...asText]);
    else if (asText.has(target)) giveText({ ...request, property });
    else return notify(client, { ...request, property: 0 });
    notify(client, { ...request, property });
  };

  return {
    setText: (given) => void (text = Buffer.from(given)),
    handleEvent(event) {
      if (event.name === 'SelectionRequest' && event['owner'] === window)
        answer(event as unknown as SelectionRequest);
      if (event.name === 'PropertyNotify' && event['state'] === deleted && event.wid !== window)
        givePiece(event.wid!, event['atom'] as number);
    },
  };
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
