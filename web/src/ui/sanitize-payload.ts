/** What the other side says to be read by people, as it is handed to the page: without what hides or reorders text. */
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import { readableText } from './readable-text.ts';
import type { Payload } from '@drawbridge/session/payloads';

type Sanitizers = { [Kind in FrameKindName]?: (payload: Payload<Kind>) => Payload<Kind> };

/** Every text in it; the names of fields stay. */
function sanitizeTexts<Value>(value: Value): Value {
  if (typeof value === 'string') return readableText(value) as Value;
  if (Array.isArray(value)) return value.map(sanitizeTexts) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, sanitizeTexts(each)]),
  ) as Value;
}

/** Paths, names of files and what was copied are data: they stay as they are until they are shown. */
const sanitizers: Sanitizers = {
  state: (word) => ({ ...sanitizeTexts(word), home: word.home }),
  end: sanitizeTexts,
  people: sanitizeTexts,
  refused: sanitizeTexts,
  layout: sanitizeTexts,
  chat: sanitizeTexts,
  call: sanitizeTexts,
  sound: sanitizeTexts,
  printing: sanitizeTexts,
  document: sanitizeTexts,
  programs: sanitizeTexts,
  install: sanitizeTexts,
  terminal: sanitizeTexts,
  file_drag: (word) => (word.is === 'unable' ? sanitizeTexts(word) : word),
  file_answer: (word) => (word.is === 'failed' ? sanitizeTexts(word) : word),
};

export const sanitizePayload = <Kind extends FrameKindName>(
  kind: Kind,
  payload: Payload<Kind>,
): Payload<Kind> => sanitizers[kind]?.(payload) ?? payload;
