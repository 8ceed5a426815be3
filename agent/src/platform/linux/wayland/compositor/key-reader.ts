/** Reads what the person types in their own layout, with the system's xkbcommon. */
import { readSync } from 'node:fs';
import { findLibrary, loadKoffi } from '../../../native.ts';
import type { PaneKey } from '../../../panes/pane.ts';

export interface KeyReader {
  useKeymap(fd: number, bytes: number): void;
  useModifiers(pressed: number, latched: number, locked: number, group: number): void;
  /** `key` is the kernel's number. */
  read(key: number): PaneKey | undefined;
}

const kernelOffset = 8;
const textFormat = 1;
const names: Record<number, 'Enter' | 'Backspace' | 'Escape'> = {
  0x08: 'Backspace',
  0x0d: 'Enter',
  0x1b: 'Escape',
};

/** Undefined if the system has no xkbcommon; the person then cannot type into the agent's windows. */
export async function loadKeyReader(): Promise<KeyReader | undefined> {
  const koffi = await loadKoffi();
  const library = koffi && findLibrary(koffi, ['libxkbcommon.so.0']);
  if (!library) return undefined;
  const context: unknown = library.func('void* xkb_context_new(int flags)')(0);
  const parse = library.func(
    'void* xkb_keymap_new_from_string(void* context, const char* text, int format, int flags)',
  );
  const createState = library.func('void* xkb_state_new(void* keymap)');
  const update = library.func(
    'int xkb_state_update_mask(void* state, uint a, uint b, uint c, uint d, uint e, uint f)',
  );
  const toCharacter = library.func('uint32 xkb_state_key_get_utf32(void* state, uint32 key)');
  const freeState = library.func('void xkb_state_unref(void* state)');
  const freeKeymap = library.func('void xkb_keymap_unref(void* keymap)');
  let state: unknown;
  return {
    useKeymap(fd, bytes) {
      const text = Buffer.alloc(bytes);
      readSync(fd, text, 0, bytes, 0);
      const keymap: unknown = parse(context, text.toString('utf8').replace(/\0.*$/s, ''), textFormat, 0);
      if (state) freeState(state);
      state = keymap ? createState(keymap) : undefined;
      if (keymap) freeKeymap(keymap);
    },
    useModifiers(pressed, latched, locked, group) {
      if (state) update(state, pressed, latched, locked, 0, 0, group);
    },
    read(key) {
      const point = state ? (toCharacter(state, key + kernelOffset) as number) : 0;
      const name = names[point];
      if (name) return { name };
      return point < 0x20 || point === 0x7f ? undefined : { character: String.fromCodePoint(point) };
    },
  };
}
