/** Parses JSON strictly: refuses what JSON.parse would silently change, merge or accept. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import { isUtf8 } from 'node:buffer';
import { hasNul, nulPredicate } from './nul.ts';

const maxDepth = 16;
/** No operation needs nearly as many, and each value costs more memory than its bytes. */
const maxValues = 16_384;
const maxKeys = 1_000;
const maxNamedLength = 128;
const fewKeys = 16;

// Single constants are faster than a destructured list, and every request with a body runs this code.
const quote = 0x22;
const comma = 0x2c;
const point = 0x2e;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const digitNine = 0x39;
/** An integer of at most this many characters, including the sign, is always exact. */
const exactLength = 15;

/** The position in text that JSON.parse has already accepted. */
interface Walk {
  text: string;
  at: number;
  path: (string | number)[];
  /** How many values were counted so far. */
  values: number;
  /** True if the whole text has no escape and no unpaired surrogate: its strings then need no further check. */
  plain: boolean;
}

/** The keys of one object so far. While they are few, comparing them is cheaper than hashing them. */
interface Seen {
  few: string[];
  many: Set<string> | undefined;
}

/** Empty text is refused like any other text that is not JSON; callers that allow it check before. */
export function parseStrictJson(input: string | Buffer): { value: unknown } | Fault<'invalid'> {
  if (typeof input !== 'string' && !isUtf8(input)) return refusal('The JSON is not valid UTF-8.');
  const text = typeof input === 'string' ? input : input.toString('utf8');
  if (text.charCodeAt(0) === 0xfeff)
    return refusal('The JSON starts with a byte order mark; send it without.');
  const parsed = parseNatively(text);
  if (!parsed) return refusal(hasNul(text) ? `The JSON ${nulPredicate}.` : 'The text is not valid JSON.');
  const walk: Walk = { text, at: 0, path: [], values: 0, plain: !text.includes('\\') && text.isWellFormed() };
  const error = walkValue(walk, 0);
  return error === undefined ? parsed : refusal(error, walk.path);
}

function parseNatively(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** The field is the path of the value, if it is known: `permanent_url.password`, `permissions.0`. */
function refusal(message: string, path: (string | number)[] = []): Fault<'invalid'> {
  const field = path.join('.');
  return fault('invalid', field === '' || field.length > maxNamedLength ? { message } : { message, field });
}

/** Each walk… function moves past one value and returns why it is refused, if so. The path then still points at it. */
function walkValue(walk: Walk, depth: number): string | undefined {
  if (++walk.values > maxValues) return tooManyValues(walk);
  skipSpace(walk);
  const code = walk.text.charCodeAt(walk.at);
  if (code === quote) return badText(walk, walkString(walk));
  if (code !== openBrace && code !== openBracket) return walkScalar(walk);
  if (depth === maxDepth) return `The JSON is nested deeper than ${maxDepth} levels.`;
  return code === openBrace ? walkObject(walk, depth + 1) : walkArray(walk, depth + 1);
}

/** The error names no field, because the value at which the limit is reached is arbitrary. */
function tooManyValues(walk: Walk): string {
  walk.path.length = 0;
  return `The JSON must not hold more than ${maxValues} values.`;
}

function walkObject(walk: Walk, depth: number): string | undefined {
  const seen: Seen = { few: [], many: undefined };
  for (let count = 1; nextItem(walk, closeBrace); count += 1) {
    if (count > maxKeys) return `An object must not have more than ${maxKeys} keys.`;
    const key = walkString(walk);
    const error = badText(walk, key) ?? badKey(key, seen, walk.path);
    if (error !== undefined) return error;
    remember(seen, key);
    skipSpace(walk);
    walk.at += 1; // the colon
    walk.path.push(key);
    const inside = walkValue(walk, depth);
    if (inside !== undefined) return inside;
    walk.path.pop();
  }
  return undefined;
}

function walkArray(walk: Walk, depth: number): string | undefined {
  for (let index = 0; nextItem(walk, closeBracket); index += 1) {
    walk.path.push(index);
    const error = walkValue(walk, depth);
    if (error !== undefined) return error;
    walk.path.pop();
  }
  return undefined;
}

/** Moves past the opening bracket, a comma or the closing bracket, and returns whether an item follows. */
function nextItem(walk: Walk, close: number): boolean {
  skipSpace(walk);
  if (walk.text.charCodeAt(walk.at) !== close) {
    walk.at += 1;
    skipSpace(walk);
  }
  if (walk.text.charCodeAt(walk.at) !== close) return true;
  walk.at += 1;
  return false;
}

function badKey(key: string, seen: Seen, path: (string | number)[]): string | undefined {
  if (key !== '__proto__' && !(seen.many?.has(key) ?? seen.few.includes(key))) return undefined;
  path.push(key);
  return key === '__proto__' ? 'The key __proto__ is not allowed.' : 'The key is given twice.';
}

function remember(seen: Seen, key: string): void {
  seen.many?.add(key);
  if (!seen.many && seen.few.push(key) > fewKeys) seen.many = new Set(seen.few);
}

function badText(walk: Walk, text: string): string | undefined {
  if (walk.plain) return undefined;
  if (hasNul(text)) return `The text ${nulPredicate}.`;
  return text.isWellFormed() ? undefined : 'The text must not contain half of a surrogate pair.';
}

/** Returns the string with its escapes decoded, so that two spellings of one key are equal. */
function walkString(walk: Walk): string {
  const { text, at: start } = walk;
  let end = text.indexOf('"', start + 1);
  if (!walk.plain) while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  walk.at = end + 1;
  const inner = text.slice(start + 1, end);
  return walk.plain || !inner.includes('\\') ? inner : String(JSON.parse(text.slice(start, walk.at)));
}

/** A quote after an odd number of backslashes is part of the string. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before -= 1;
  return (at - before) % 2 === 0;
}

function walkScalar(walk: Walk): string | undefined {
  const { text, at: start } = walk;
  let digitsOnly = true;
  for (let code = text.charCodeAt(start); isScalarPart(code); code = text.charCodeAt(walk.at)) {
    if (code > digitNine || code === point) digitsOnly = false;
    walk.at += 1;
  }
  if (digitsOnly && walk.at - start <= exactLength) return undefined;
  if (text.charCodeAt(start) > digitNine || isKeptExactly(text.slice(start, walk.at))) return undefined;
  return 'The number cannot be stored exactly. Integers must be from -9007199254740991 to 9007199254740991.';
}

function isScalarPart(code: number): boolean {
  return code > 0x20 && code !== comma && code !== closeBrace && code !== closeBracket;
}

/** Returns false if a number would become infinite or a different integer. */
function isKeptExactly(source: string): boolean {
  const value = Number(source);
  if (!Number.isInteger(value)) return Number.isFinite(value);
  return Number.isSafeInteger(value) && isWrittenWhole(source);
}

/** Returns true for 12, 1.0 and 1.5e1, and false for 7.00000000000000000001 and 1e-400, which only round to an integer. */
function isWrittenWhole(source: string): boolean {
  const [mantissa = '', exponent = '0'] = source.replace(/^-/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const wholeLength = Math.max(whole.length + Number(exponent), 0);
  return /^0*$/.test((whole + fraction).slice(wholeLength));
}

function skipSpace(walk: Walk): void {
  while (walk.text.charCodeAt(walk.at) <= 0x20) walk.at += 1;
}
