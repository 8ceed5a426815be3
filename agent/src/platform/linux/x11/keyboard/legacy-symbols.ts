/** The X11 keysyms that are older than Unicode, with their characters. */
import x11 from 'x11';

/** Derived from the descriptions in the keysym table of the package. */
export const legacyKeysyms: ReadonlyMap<number, string> = new Map(
  Object.values(x11.keySyms).flatMap(({ code, description }): [number, string][] => {
    const character = /^\((.)\) /u.exec(description ?? '')?.[1];
    return character !== undefined && code > 0xff && code < 0xfd00 ? [[code, character]] : [];
  }),
);
