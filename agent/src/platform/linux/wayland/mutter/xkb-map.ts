/** The keyboard map of a layout, from the system's libxkbcommon. */
import { findLibrary, loadKoffi, type Koffi, type Library } from '../../../native.ts';
import { NotPossible } from '../../../platform.ts';
import type { KeyMap } from '../../x11/keyboard/key-map.ts';
import type { KeyboardLayout } from './input-sources.ts';

const [firstKey, lastKey] = [8, 255];
const level3Symbol = 0xfe03;
/** The modifier bits of NumLock and AltGr in all maps of this library. */
const [numLock, level3] = [1 << 4, 1 << 7];

export async function readXkbMap({ layout, variant }: KeyboardLayout): Promise<KeyMap> {
  const koffi = await loadKoffi();
  const library = koffi && findLibrary(koffi, ['libxkbcommon.so.0']);
  if (!koffi || !library)
    throw new NotPossible('Keys cannot be pressed because the device lacks the library libxkbcommon.');
  const rows = rowsOf(koffi, library, `${layout}\0`, `${variant}\0`);
  const at = rows.findIndex(([symbol]) => symbol === level3Symbol);
  return { first: firstKey, rows, numLock, level3, level3Key: at < 0 ? undefined : firstKey + at };
}

/** Returns no rows if the layout does not exist. */
function rowsOf(koffi: Koffi, library: Library, layout: string, variant: string): number[][] {
  const context = library.func('void* xkb_context_new(int flags)')(0) as unknown;
  const [layoutText, variantText] = [Buffer.from(layout), Buffer.from(variant)];
  // The pointers to rules, model, layout, variant and options.
  const names = Buffer.alloc(40);
  names.writeBigUInt64LE(koffi.address(layoutText), 16);
  names.writeBigUInt64LE(koffi.address(variantText), 24);
  const create = library.func('void* xkb_keymap_new_from_names(void* context, void* names, int flags)');
  const keymap = create(context, names, 0) as unknown;
  const read = library.func(
    'int xkb_keymap_key_get_syms_by_level(void* keymap, uint32 key, uint32 layout, uint32 level, _Out_ void** symbols)',
  );
  const symbolAt = (key: number, level: number): number => {
    const found: unknown[] = [null];
    return (read(keymap, key, 0, level, found) as number) === 1
      ? (koffi.decode(found[0], 'uint32') as number)
      : 0;
  };
  const keys =
    keymap === null ? [] : Array.from({ length: lastKey - firstKey + 1 }, (_, at) => firstKey + at);
  // Two symbols for the first group, none for the second, two with AltGr.
  const rows = keys.map((key) => [
    symbolAt(key, 0),
    symbolAt(key, 1),
    0,
    0,
    symbolAt(key, 2),
    symbolAt(key, 3),
  ]);
  if (keymap !== null) library.func('void xkb_keymap_unref(void* keymap)')(keymap);
  library.func('void xkb_context_unref(void* context)')(context);
  return rows;
}
