/** What the other side says to be read by people, as it is handed to the page: without what hides or reorders text. */
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import { readableText } from '../ui/readable-text.ts';
import type { Payload } from './payloads.ts';

type Readers = { [Kind in FrameKindName]?: (payload: Payload<Kind>) => Payload<Kind> };

/** Every text in it; the names of fields stay. */
function every<Value>(value: Value): Value {
  if (typeof value === 'string') return readableText(value) as Value;
  if (Array.isArray(value)) return value.map(every) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, every(each)])) as Value;
}

/** Paths, names of files and what was copied are data: they stay as they are until they are shown. */
const readers: Readers = {
  state: (word) => ({ ...every(word), home: word.home }),
  end: every,
  people: every,
  refused: every,
  layout: every,
  chat: every,
  call: every,
  programs: every,
  install: every,
  terminal: every,
  file_answer: (word) => (word.is === 'failed' ? every(word) : word),
};

export const legible = <Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>): Payload<Kind> =>
  readers[kind]?.(payload) ?? payload;
