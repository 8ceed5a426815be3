/** Keyboard maps of layouts and of compositors, read with the system's libxkbcommon. */
import { findLibrary, loadKoffi, type Koffi, type Library } from '../../native.ts';
import { NotPossible } from '../../platform.ts';
import type { KeyMap } from '../x11/keyboard/key-map.ts';
import type { KeyboardLayout } from './mutter/input-sources.ts';

const [firstKey, lastKey] = [8, 255];
const level3Symbol = 0xfe03;
/** The modifier bit of NumLock in all maps of this library. */
export const numLockBit = 1 << 4;
/** That of AltGr. */
const level3 = 1 << 7;
const textFormat = 1;

type CreateKeymap = (koffi: Koffi, library: Library, context: unknown) => unknown;

/** The map of a layout by its name; without keys if the layout does not exist. */
export const readXkbMap = ({ layout, variant, options }: KeyboardLayout): Promise<KeyMap> =>
  readMap(0, (koffi, library, context) => {
    const texts = [layout, variant, options.join(',')].map((text) => Buffer.from(`${text}\0`));
    // The pointers to rules, model, layout, variant and options.
    const names = Buffer.alloc(40);
    texts.forEach((text, at) => names.writeBigUInt64LE(koffi.address(text), 16 + 8 * at));
    const create = library.func('void* xkb_keymap_new_from_names(void* context, void* names, int flags)');
    return create(context, names, 0) as unknown;
  });

/** The map that a compositor has sent to its programs. `group` is the place of the layout in it. */
export const parseXkbMap = (text: string, group: number): Promise<KeyMap> =>
  readMap(group, (_, library, context) => {
    const parse = library.func(
      'void* xkb_keymap_new_from_string(void* context, const char* text, int format, int flags)',
    );
    return parse(context, text, textFormat, 0) as unknown;
  });

async function readMap(group: number, create: CreateKeymap): Promise<KeyMap> {
  const koffi = await loadKoffi();
  const library = koffi && findLibrary(koffi, ['libxkbcommon.so.0']);
  if (!koffi || !library)
    throw new NotPossible('Keys cannot be pressed because the device lacks the library libxkbcommon.');
  const context = library.func('void* xkb_context_new(int flags)')(0) as unknown;
  const keymap = create(koffi, library, context);
  const rows = keymap === null ? [] : rowsOf(koffi, library, keymap, group);
  if (keymap !== null) library.func('void xkb_keymap_unref(void* keymap)')(keymap);
  library.func('void xkb_context_unref(void* context)')(context);
  const at = rows.findIndex(([symbol]) => symbol === level3Symbol);
  return {
    first: firstKey,
    rows,
    numLock: numLockBit,
    level3,
    level3Key: at < 0 ? undefined : firstKey + at,
  };
}

/** Two symbols for the first group, none for the second, two with AltGr. */
function rowsOf(koffi: Koffi, library: Library, keymap: unknown, group: number): number[][] {
  const count = library.func('uint32 xkb_keymap_num_layouts_for_key(void* keymap, uint32 key)');
  const read = library.func(
    'int xkb_keymap_key_get_syms_by_level(void* keymap, uint32 key, uint32 layout, uint32 level, _Out_ void** symbols)',
  );
  return Array.from({ length: lastKey - firstKey + 1 }, (_, index) => {
    const key = firstKey + index;
    // Keys that are the same in all layouts have one.
    const layout = group < (count(keymap, key) as number) ? group : 0;
    const symbolAt = (level: number): number => {
      const found: unknown[] = [null];
      return (read(keymap, key, layout, level, found) as number) === 1
        ? (koffi.decode(found[0], 'uint32') as number)
        : 0;
    };
    return [symbolAt(0), symbolAt(1), 0, 0, symbolAt(2), symbolAt(3)];
  });
}
