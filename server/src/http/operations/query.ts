/** The query string as the service reads it: each parameter once, decoded strictly, nothing guessed. */

export interface QueryRefusal {
  error: string;
  /** The parameter it is about, where its name could be read. */
  field?: string;
}

const maxParameters = 100;

/** What needs no decoding, as most parameters do not. */
const isPlain = /^[\w.-]*$/;

/** Takes what stands after the question mark. The values have no prototype, so any name is mere data. */
export function parseQuery(text: string): { values: Record<string, string> } | QueryRefusal {
  const values: Record<string, string> = Object.create(null);
  let count = 0;
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf('&', start);
    if (end < 0) end = text.length;
    if (end === start) continue;
    if (++count > maxParameters) return { error: `There are more than ${maxParameters} parameters.` };
    const refusal = readPair(text.slice(start, end), values);
    if (refusal) return refusal;
  }
  return { values };
}

function readPair(pair: string, values: Record<string, string>): QueryRefusal | undefined {
  const equals = pair.indexOf('=');
  const name = decode(equals < 0 ? pair : pair.slice(0, equals));
  if (name === undefined)
    return { error: 'The name of a parameter is not valid percent-encoded UTF-8 text.' };
  if (name in values) return { error: 'The parameter is given twice.', field: name };
  const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
  if (value === undefined)
    return { error: 'The value is not valid percent-encoded UTF-8 text.', field: name };
  values[name] = value;
  return undefined;
}

/** Undefined for a stray percent sign, bytes that are not UTF-8, the character NUL, or text that was not encoded at all. */
function decode(text: string): string | undefined {
  if (isPlain.test(text)) return text;
  // A server reads the bytes of a URL as Latin-1: what is not printable ASCII here is text somebody forgot to encode.
  if (/[^!-~]/.test(text)) return undefined;
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}
