/** Parses query strings strictly: each parameter once, and every escape valid. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import { hasNul, nulPredicate } from './nul.ts';

const maxParameters = 100;

/** Matches text that needs no decoding, which is most of it. */
const isPlain = /^[\w.-]*$/;

/** The text after the question mark. */
export const queryOf = (url = ''): string => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');

/** Parses the text after the question mark. In a Map any name is safe, and V8 need not intern names it has never seen. */
export function parseQuery(text: string): { values: ReadonlyMap<string, string> } | Fault<'invalid'> {
  const values = new Map<string, string>();
  let count = 0;
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf('&', start);
    if (end < 0) end = text.length;
    if (end === start) continue;
    if (++count > maxParameters)
      return fault('invalid', { message: `There are more than ${maxParameters} parameters.` });
    const refusal = readPair(text.slice(start, end), values);
    if (refusal) return refusal;
  }
  return { values };
}

function readPair(pair: string, values: Map<string, string>): Fault<'invalid'> | undefined {
  const equals = pair.indexOf('=');
  const name = decode(equals < 0 ? pair : pair.slice(0, equals));
  if (name === undefined)
    return fault('invalid', { message: 'The name of a parameter is not valid percent-encoded UTF-8 text.' });
  if (hasNul(name)) return fault('invalid', { message: `The name of a parameter ${nulPredicate}.` });
  if (values.has(name)) return fault('invalid', { message: 'The parameter is given twice.', field: name });
  const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
  if (value === undefined)
    return fault('invalid', { message: 'The value is not valid percent-encoded UTF-8 text.', field: name });
  if (hasNul(value)) return fault('invalid', { message: `${name} ${nulPredicate}.`, field: name });
  values.set(name, value);
  return undefined;
}

/** Returns undefined for invalid escapes, bytes that are not UTF-8, and text that was not encoded. */
function decode(text: string): string | undefined {
  if (isPlain.test(text)) return text;
  // Node reads the bytes of a URL as Latin-1: a character that is not printable ASCII was not encoded by the client.
  if (/[^!-~]/.test(text)) return undefined;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
