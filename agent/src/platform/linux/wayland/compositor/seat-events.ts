/** The person's own mouse and keyboard, as far as they are used in the agent's windows. */
import { closeSync } from 'node:fs';
import { newObject } from '../wire/connection.ts';
import type { WireReader } from '../wire/wire-format.ts';
import type { CompositorContext } from './context.ts';
import { kinds, seat } from './protocol.ts';
import { loadKeyReader, type KeyReader } from './key-reader.ts';
import type { PaneKey } from '../../../panes/pane.ts';

interface PaneEvents {
  onPress(x: number, y: number): void;
  onKey(key: PaneKey): void;
}

export interface SeatEvents {
  /** Receives the events of a surface; the returned function unsubscribes. */
  watch(surface: number, events: PaneEvents): () => void;
}

const leftButton = 0x110;

interface State {
  surfaces: Map<number, PaneEvents>;
  pointed: number;
  typed: number;
  x: number;
  y: number;
  keys: KeyReader | undefined;
}

export async function watchSeat(context: CompositorContext): Promise<SeatEvents> {
  const { connection } = context;
  const keys = await loadKeyReader();
  const state: State = { surfaces: new Map(), pointed: 0, typed: 0, x: 0, y: 0, keys };
  const global = connection.globals().find(({ kind }) => kind === kinds.seat)!;
  let has = 0;
  const object = connection.bind(global, 1, (opcode, values) => {
    if (opcode !== seat.capabilities) return;
    const now = values.uint();
    const isNew = (bit: number): boolean => (now & bit) !== 0 && (has & bit) === 0;
    if (isNew(seat.hasPointer))
      connection.create(object, seat.getPointer, [newObject], (event, read) =>
        handlePointer(state, event, read),
      );
    if (isNew(seat.hasKeyboard))
      connection.create(object, seat.getKeyboard, [newObject], (event, read) =>
        handleKeyboard(state, event, read),
      );
    has |= now;
  });
  return {
    watch(surface, events) {
      state.surfaces.set(surface, events);
      return () => void state.surfaces.delete(surface);
    },
  };
}

function handlePointer(state: State, opcode: number, values: WireReader): void {
  if (opcode === seat.enter) {
    values.uint();
    [state.pointed, state.x, state.y] = [values.uint(), values.fixed(), values.fixed()];
  } else if (opcode === seat.leave) state.pointed = 0;
  else if (opcode === seat.motion) {
    values.uint();
    [state.x, state.y] = [values.fixed(), values.fixed()];
  } else if (opcode === seat.button) {
    const [, , button, isDown] = [values.uint(), values.uint(), values.uint(), values.uint()];
    if (button === leftButton && isDown) state.surfaces.get(state.pointed)?.onPress(state.x, state.y);
  }
}

function handleKeyboard(state: State, opcode: number, values: WireReader): void {
  if (opcode === seat.keymap) {
    const [, fd, size] = [values.uint(), values.fd(), values.uint()];
    state.keys?.useKeymap(fd, size);
    closeSync(fd);
  } else if (opcode === seat.keyEnter) {
    values.uint();
    state.typed = values.uint();
  } else if (opcode === seat.modifiers) {
    values.uint();
    state.keys?.useModifiers(values.uint(), values.uint(), values.uint(), values.uint());
  } else if (opcode === seat.key) {
    const [, , key, isDown] = [values.uint(), values.uint(), values.uint(), values.uint()];
    const read = isDown ? state.keys?.read(key) : undefined;
    if (read) state.surfaces.get(state.typed)?.onKey(read);
  }
}
