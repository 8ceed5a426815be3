/** The symbols of X11 that are older than Unicode, each with the character it stands for. */
import x11 from 'x11';

/** As the table of the protocol notes them. */
export const legacyKeysyms: ReadonlyMap<number, string> = new Map(
  Object.values(x11.keySyms).flatMap(({ code, description }): [number, string][] => {
    const character = /^\((.)\) /u.exec(description ?? '')?.[1];
    return character !== undefined && code > 0xff && code < 0xfd00 ? [[code, character]] : [];
  }),
);
