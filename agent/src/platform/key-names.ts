/** What the names of keys in browsers mean, for all systems. */

/** The keys that Windows may report as held while AltGr is held. */
export const altGrCodes: readonly string[] = ['ControlLeft', 'ControlRight', 'AltLeft', 'AltRight'];

const deadKeys = new Set(['AltGraph', 'Dead', 'Process', 'Compose']);

/** Keys that produce no character themselves but change the next one. */
export const isDeadKey = (key: string): boolean => deadKeys.has(key);

export const isCharacter = (key: string): boolean => key.length === (key.codePointAt(0)! > 0xffff ? 2 : 1);

const keysOfControls: Record<string, string> = { '\n': 'Enter', '\t': 'Tab' };

/** Returns the key that types a character; undefined if there is none. */
export const keyForText = (character: string): string | undefined =>
  keysOfControls[character] ?? (/\p{Cc}/u.test(character) ? undefined : character);
