/** Synchronizes the text clipboard with a desktop that shares it over the session bus, in both directions. */
import type { Clipboard } from '../../desktop.ts';
import { longestText } from '../x11/selection-atoms.ts';
import { readTextPipe, writeTextPipe } from './text-pipe.ts';

/** The calls with which a desktop shares its clipboard. Descriptors belong to the caller. */
export interface SelectionCalls {
  /** Offers text of these types. */
  offer(types: readonly string[]): Promise<unknown>;
  /** Opens the text of the owner for reading. */
  read(type: string): Promise<number>;
  /** Opens what a program asked for, for writing. */
  write(serial: number): Promise<number>;
  written(serial: number, isWritten: boolean): Promise<unknown>;
}

export interface SelectionClipboard extends Clipboard {
  /** Another program has taken the clipboard over, or this one, with text of these types. */
  ownerChanged(types: readonly unknown[], isOwn: boolean): Promise<void>;
  /** A program asked for the text. */
  requested(serial: number): Promise<void>;
}

/** The best first. */
const textTypes = ['text/plain;charset=utf-8', 'UTF8_STRING', 'text/plain'];

interface State {
  calls: SelectionCalls;
  listeners: Set<(text: string) => void>;
  /** The text that both sides have; it is not sent again, because that would cause an endless loop. */
  current: string | undefined;
  /** Grows with every change of the owner, so that the text of an earlier one is dropped. */
  changes: number;
}

export function createSelectionClipboard(calls: SelectionCalls): SelectionClipboard {
  const state: State = { calls, listeners: new Set(), current: undefined, changes: 0 };
  return {
    onChange: (listener) => void state.listeners.add(listener),
    write(text) {
      if (Buffer.byteLength(text) > longestText) return;
      state.changes += 1;
      state.current = text.replaceAll('\r\n', '\n');
      void calls.offer(textTypes).catch(() => {});
    },
    close: () => state.listeners.clear(),
    ownerChanged: (types, isOwn) => readOwner(state, types, isOwn),
    async requested(serial) {
      const fd = await calls.write(serial).catch(() => undefined);
      if (fd === undefined) return;
      const isWritten = await writeTextPipe(fd, state.current ?? '');
      await calls.written(serial, isWritten).catch(() => {});
    },
  };
}

/** Text that the agent has set is not reported, nor what is not text. */
async function readOwner(state: State, types: readonly unknown[], isOwn: boolean): Promise<void> {
  const change = (state.changes += 1);
  const type = textTypes.find((each) => types.includes(each));
  if (isOwn || type === undefined) return;
  const fd = await state.calls.read(type).catch(() => undefined);
  const text = fd === undefined ? undefined : await readTextPipe(fd);
  if (text === undefined || text === state.current || change !== state.changes) return;
  state.current = text;
  state.listeners.forEach((listener) => listener(text));
}
