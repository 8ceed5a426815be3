/** Reading what a program has put into the clipboard: asked for as text, at once or piece by piece, up to a limit. */
import type x11 from 'x11';
import { longestText, type Atoms } from './selection-atoms.ts';
import type { X11Connection } from './connection.ts';

export interface SelectionReader {
  /** Asks whoever owns the clipboard now. */
  request(): void;
  handleEvent(event: x11.Event): void;
}

type Property = { type: number; bytesAfter: number; data: Buffer };

const newValue = 0;

export function createSelectionReader(
  { client }: X11Connection,
  { window, atoms, properties }: { window: number; atoms: Atoms; properties: readonly number[] },
  onText: (text: string) => void,
): SelectionReader {
  /** Of the question that was asked last, and the pieces so far while its answer comes in pieces. */
  let [property, turn] = [0, 0];
  let pieces: Buffer[] | undefined;

  // Told at once and not by a promise: the next piece may be the next thing that the display says.
  const take = (then: (taken: Property) => void): void =>
    client.GetProperty(1, window, property, 0, 0, Math.ceil(longestText / 4) + 1, (error, taken) => {
      if (!error) then(taken);
      return true;
    });
  const finish = (text: Buffer): void => {
    pieces = undefined;
    if (text.length > 0 && text.length <= longestText) onText(text.toString('utf8'));
  };
  const takeWhole = (): void => {
    const asked = turn;
    take(({ type, data, bytesAfter }) => {
      if (asked !== turn) return;
      if (type === atoms.INCR) pieces = [];
      else if (bytesAfter === 0) finish(data);
      else client.DeleteProperty(window, property);
    });
  };
  const takePiece = (soFar: Buffer[]): void =>
    take(({ data }) => {
      if (pieces !== soFar) return;
      // Past the limit the rest is taken and thrown away: its owner waits for that.
      const length = soFar.reduce((sum, piece) => sum + piece.length, 0);
      if (data.length === 0) finish(Buffer.concat(soFar));
      else if (length <= longestText) soFar.push(Buffer.from(data));
    });
  const hearNewValue = (changed: number): void => {
    if (changed !== property) client.DeleteProperty(window, changed);
    else if (pieces) takePiece(pieces);
  };

  return {
    request() {
      turn += 1;
      property = properties[turn % properties.length]!;
      pieces = undefined;
      client.ConvertSelection(window, atoms.CLIPBOARD, atoms.UTF8_STRING, property, 0);
    },
    handleEvent(event) {
      const { requestor, property: where, wid, atom, state } = event as Record<string, unknown>;
      if (event.name === 'SelectionNotify' && requestor === window && where === property) takeWhole();
      if (
        event.name === 'PropertyNotify' &&
        wid === window &&
        state === newValue &&
        properties.includes(atom as number)
      )
        hearNewValue(atom as number);
    },
  };
}
