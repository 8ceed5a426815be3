/** The worst input of a given size: at every position of a value, more of everything than it allows. */
import { pathsIn, withJson } from '../kit/hostile/hostile.ts';

export interface WorstInput {
  what: string;
  text: string;
}

/** As many of them, separated by commas, as fit into the bytes. */
function repeated(item: string | ((index: number) => string), bytes: number): string {
  if (typeof item === 'string')
    return `${`${item},`.repeat(Math.max(0, Math.floor(bytes / (item.length + 1)) - 1))}${item}`;
  const items: string[] = [];
  for (let left = bytes - 64; left > 0; left -= items.at(-1)!.length + 1) items.push(item(items.length));
  return items.join(',');
}

const letters = (index: number): string => index.toString(36);
const times = (text: string, bytes: number): string =>
  text.repeat(Math.max(0, Math.floor(bytes / Buffer.byteLength(text))));

/** JSON of about this many bytes that is expensive at any position. */
const fillers: Record<string, (bytes: number) => string> = {
  'empty objects': (bytes) => `[${repeated('{}', bytes - 2)}]`,
  'empty lists': (bytes) => `[${repeated('[]', bytes - 2)}]`,
  'empty texts': (bytes) => `[${repeated('""', bytes - 2)}]`,
  numbers: (bytes) => `[${repeated('0', bytes - 2)}]`,
  nulls: (bytes) => `[${repeated('null', bytes - 2)}]`,
  'long numbers': (bytes) => `[${repeated('1.0000000000000000', bytes - 2)}]`,
  'escaped texts': (bytes) => `[${repeated('"\\n"', bytes - 2)}]`,
  keys: (bytes) => `{${repeated((index) => `"${letters(index)}":0`, bytes - 2)}}`,
  'keys like places in a list': (bytes) =>
    `{${repeated((index) => `"${(index * 7_919) % 4_294_967_295}":0`, bytes - 2)}}`,
  'escaped keys': (bytes) => `{${repeated((index) => `"\\u0061${letters(index)}":0`, bytes - 2)}}`,
  'a key twice': (bytes) => `{${repeated('"a":0', bytes - 2)}}`,
  'lists in lists': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'objects in objects': (bytes) => `${'{"a":'.repeat(bytes / 6)}0${'}'.repeat(bytes / 6)}`,
  'lists of sixteen levels': (bytes) => `[${repeated('['.repeat(14) + ']'.repeat(14), bytes - 2)}]`,
  'a number without end': (bytes) => `1.${'0'.repeat(Math.max(1, bytes - 2))}`,
  spaces: (bytes) => `${' '.repeat(Math.max(0, bytes - 2))}{}`,
  ...Object.fromEntries(
    ['a', ' ', '😀', '\\u0001', '\\\\', '\\n', '@', 'a@', 'a.', ':', '0', '0,', 'A-_', '%'].map((text) => [
      `a long text of ${text}`,
      (bytes: number) => `"a${times(text, bytes - 4)}a"`,
    ]),
  ),
};

/** Lists of what the position accepts, and of what is wrong only at its end. */
function listFillers(element: unknown, bytes: number): [string, string][] {
  const right = JSON.stringify(element);
  const keys = typeof element === 'object' && element !== null ? Object.keys(element) : [];
  const almost = keys.length > 0 ? withJson(element as object, keys.at(-1)!, '[]') : '[]';
  const late = `[${repeated(right, bytes - almost.length - 3)},${almost}]`;
  return [
    ['what fits', `[${repeated(right, bytes - 2)}]`],
    ['what almost fits', `[${repeated(almost, bytes - 2)}]`],
    ['what fits, and one at the end that does not', late],
  ];
}

const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce((at, step) => (at as Record<string, unknown>)[step], value);

/** If many positions accept the same, the first two of them and the last. */
function someOf(paths: readonly string[], sample: object): string[] {
  if (paths.length < 40) return [...paths];
  const alike = Map.groupBy(paths, (path) => JSON.stringify(valueAt(sample, path)));
  return [...alike.values()].flatMap((each) => [...new Set([...each.slice(0, 2), ...each.slice(-1)])]);
}

/** Makes each filler of this many bytes once, when it is first needed. */
function createFillers(bytes: number): (what: string) => string {
  const made = new Map<string, string>();
  return (what) => {
    const json = made.get(what) ?? fillers[what]!(bytes);
    made.set(what, json);
    return json;
  };
}

/** The value with each of the worst at each of its positions, as JSON of at most this many bytes; only those that are wanted. */
export function* worstInputsFor(
  sample: object,
  bytes: number,
  wants: (what: string) => boolean,
): Generator<WorstInput> {
  const available = bytes - JSON.stringify(sample).length - 16;
  const fill = createFillers(available);
  const all = Object.keys(fillers);
  for (const path of someOf(pathsIn(sample), sample)) {
    const here = valueAt(sample, path);
    for (const what of all.map((each) => `${path}: ${each}`).filter(wants))
      yield { what, text: withJson(sample, path, fill(what.slice(path.length + 2))) };
    for (const [what, json] of Array.isArray(here) ? listFillers(here[0], available) : [])
      if (wants(`${path}: ${what}`)) yield { what: `${path}: ${what}`, text: withJson(sample, path, json) };
  }
  for (const [what, make] of Object.entries(fillers))
    if (wants(`whole: ${what}`)) yield { what: `whole: ${what}`, text: make(bytes - 16) };
  const [start] = JSON.stringify(sample).split(/}$/);
  for (const what of ['keys', 'escaped keys', 'a key twice', 'keys like places in a list']) {
    if (!wants(`beside: ${what}`)) continue;
    const rest = fill(what).slice(1);
    yield { what: `beside: ${what}`, text: start === '{' ? `{${rest}` : `${start},${rest}` };
  }
}

/** Query strings of this many bytes: for each name, and for unknown names. */
export function* worstQueries(names: readonly string[], bytes: number): Generator<WorstInput> {
  const long = ['a', '%20', '%F0%9F%98%80', '1', '1,', '%2C', '+', '%', '%FF', 'a%40', '%00'];
  for (const name of names)
    for (const text of long)
      yield {
        what: `${name}: a long text of ${text}`,
        text: `${name}=${times(text, bytes - name.length - 1)}`,
      };
  for (const pair of ['&', 'a&', '=&', 'a=b&', '%41=%41&', '%&', 'a=%zz&'])
    yield { what: `pairs of ${pair}`, text: times(pair, bytes) };
  const pairs = Array.from({ length: bytes / 8 }, (_, index) => `${letters(index)}=1`).join('&');
  yield { what: 'names', text: pairs.slice(0, bytes) };
}
