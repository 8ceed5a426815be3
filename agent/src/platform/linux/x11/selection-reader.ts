/** Reads the clipboard of another program as text, at once or incrementally, up to a limit. */
import type x11 from 'x11';
import { longestText, type Atoms } from './selection-atoms.ts';
import type { X11Connection } from './connection.ts';

export interface SelectionReader {
  /** Requests the text from the current owner of the clipboard. */
  request(): void;
  handleEvent(event: x11.Event): void;
}

type Property = { type: number; bytesAfter: number; data: Buffer };

const newValue = 0;

interface State {
  client: x11.Client;
  window: number;
  atoms: Atoms;
  /** The properties for answers, used in turn. */
  properties: readonly number[];
  onText(text: string): void;
  /** The property of the last request. */
  property: number;
  /** The number of the last request. */
  request: number;
  /** The parts received so far, while an answer arrives incrementally. */
  parts: Buffer[] | undefined;
}

export function createSelectionReader(
  { client }: X11Connection,
  target: { window: number; atoms: Atoms; properties: readonly number[] },
  onText: (text: string) => void,
): SelectionReader {
  const state: State = { client, ...target, onText, property: 0, request: 0, parts: undefined };
  return {
    request: () => requestText(state),
    handleEvent: (event) => handleEvent(state, event),
  };
}

function requestText(state: State): void {
  const { client, window, atoms, properties } = state;
  state.request += 1;
  state.property = properties[state.request % properties.length]!;
  state.parts = undefined;
  client.ConvertSelection(window, atoms.CLIPBOARD, atoms.UTF8_STRING, state.property, 0);
}

function handleEvent(state: State, event: x11.Event): void {
  const { window, properties } = state;
  const { requestor, property, wid, atom, state: change } = event as Record<string, unknown>;
  if (event.name === 'SelectionNotify' && requestor === window && property === state.property)
    readAnswer(state);
  if (
    event.name === 'PropertyNotify' &&
    wid === window &&
    change === newValue &&
    properties.includes(atom as number)
  )
    handleNewValue(state, atom as number);
}

function readAnswer(state: State): void {
  const { client, window, atoms, request } = state;
  readProperty(state, ({ type, data, bytesAfter }) => {
    if (request !== state.request) return;
    if (type === atoms.INCR) state.parts = [];
    else if (bytesAfter === 0) finish(state, data);
    else client.DeleteProperty(window, state.property);
  });
}

function handleNewValue(state: State, changed: number): void {
  if (changed !== state.property) state.client.DeleteProperty(state.window, changed);
  else if (state.parts) readPart(state, state.parts);
}

function readPart(state: State, parts: Buffer[]): void {
  readProperty(state, ({ data }) => {
    if (state.parts !== parts) return;
    // Above the limit the rest is read and dropped, because the owner waits until it is read.
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (data.length === 0) finish(state, Buffer.concat(parts));
    else if (length <= longestText) parts.push(Buffer.from(data));
  });
}

/** Uses a callback instead of a promise, because the next part may be the next event of the display. */
function readProperty({ client, window, property }: State, then: (value: Property) => void): void {
  client.GetProperty(1, window, property, 0, 0, Math.ceil(longestText / 4) + 1, (error, value) => {
    if (!error) then(value);
    return true;
  });
}

function finish(state: State, text: Buffer): void {
  state.parts = undefined;
  if (text.length > 0 && text.length <= longestText) state.onText(text.toString('utf8'));
}
