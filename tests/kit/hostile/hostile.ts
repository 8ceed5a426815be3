/** Values that a compromised device might send, and what must not be left of them. */
import { emptyHardware } from '@drawbridge/contract/empty-hardware';
import type { Hardware } from '@drawbridge/contract/hardware';

/** One of everything, so that every field of the system information can be filled. */
export const fullHardware: Hardware = {
  ...emptyHardware,
  ComputerIP: ['10.6.6.6'],
  HDD: [{ Model: '', Size: 1 }],
  LogicalDisks: [{ Disk: '', FileSystem: '', FreeSpace: 1, Name: '', Size: 1 }],
  Monitors: [{ Name: '', ScreenHeight: 1, ScreenWidth: 1 }],
  NetAdapters: [
    {
      Addresses: '',
      Cable: true,
      DCHP: '',
      DNS: '',
      MACAddress: '',
      Manufacturer: '',
      Name: '',
      Speed: 1,
      WoL: true,
    },
  ],
  RAMBanks: [
    { Bank: '', Capacity: 1, DataWidth: 1, Locator: '', Manufacturer: '', PartNumber: '', SerialNumber: '' },
  ],
  SoundDevices: [{ Name: '' }],
  VideoCards: [{ Integrated: true, Name: '', RAM: 1 }],
};
/** Texts: each may appear in any field that a device fills. */
export const hostileTexts: Record<string, string> = {
  'a script': `"><script>alert(1)</script><img src=x onerror=alert(1)>'--`,
  'a quarter of a mebibyte': 'A'.repeat(262_144),
  'text that runs backwards': 'invoice\u202egpj.exe \u2066a\u2069 \u061cb\u200ec\u200fd',
  'controls and zero': 'a\u0000b\u0007c\u001b[31md\u007fe\u0085f\r\ng',
  'halves of characters': '\ud83d alone \ude00 and \ud83d',
  'ends of lines that are not \\n': 'a\u2028b\u2029c',
  'names of what all objects have': '__proto__',
  'a spreadsheet formula': '=HYPERLINK("https://evil.example","x")',
  'characters of two halves, up to any length': '😀'.repeat(200_000 / 4),
};

/**
 * Of the wrong type, nested too deeply, or beyond what JSON can hold; as JSON text, as messages contain it.
 */
export const hostileJson: Record<string, string> = {
  nothing: 'null',
  'an object': '{"toString":"x","__proto__":{"admin":true}}',
  'a list': '["a"]',
  'a number without end': '1e999',
  'a list a hundred thousand deep': '['.repeat(100_000) + ']'.repeat(100_000),
};

/** Control characters, lone surrogates, line ends, and bidirectional overrides: none may be left. */
export const misleading = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Every text in a value, at any depth. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** The value with every text replaced. */
export function filledWith(value: unknown, text: string): unknown {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((each) => filledWith(each, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filledWith(each, text)]));
}

/** The path of every value inside: `HDD.0.Size`. */
export function pathsIn(value: object, before = ''): string[] {
  return Object.entries(value).flatMap(([key, each]) => {
    const path = `${before}${key}`;
    return [path, ...(typeof each === 'object' && each !== null ? pathsIn(each as object, `${path}.`) : [])];
  });
}

/** The value as JSON, with other JSON at this path. */
export function withJson(value: object, path: string, json: string): string {
  const copy = structuredClone(value) as Record<string, unknown>;
  const steps = path.split('.');
  const last = steps.pop()!;
  const place = steps.reduce((at, step) => at[step] as Record<string, unknown>, copy);
  place[last] = '<here>';
  return JSON.stringify(copy).replace('"<here>"', () => json);
}
