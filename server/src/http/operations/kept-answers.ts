/** Keeps the bodies of long answers, each for one person and one request, while nothing that they show has changed. */
import { isFault, type Fault } from '@drawbridge/contract/faults';
import type { MaybePromise } from '@drawbridge/contract/async/maybe-promise';
import { toChunkedBody, type ChunkedBody } from '../content/chunked-body.ts';
import { etagOf, toParts, type BodyPart } from './kept-parts.ts';
import type { BodySection } from './rendered.ts';

/** The versions of everything that an answer can show. Neither ever decreases. */
interface AnswerVersion {
  /** Of the rights with which the person was authenticated. */
  rights: number;
  list: number;
}

/** Who asks for what. */
export interface AnswerKey {
  accountId: number;
  memberId: number;
  version: AnswerVersion;
  /** The operation with its input. */
  request: string;
}

interface BuiltAnswer {
  sections: readonly BodySection[];
  /** When time alone changes the answer. */
  validUntil: number;
}

export interface KeptAnswer {
  body: ChunkedBody;
  etag: string;
}

export interface KeptAnswers {
  /** Returns the kept answer if it is valid now, or else builds it. Concurrent requests for the same answer share it. */
  get(
    key: AnswerKey,
    now: number,
    build: () => Promise<BuiltAnswer | Fault>,
  ): MaybePromise<KeptAnswer | Fault>;
}

export interface KeptAnswerLimits {
  totalBytes: number;
  /** For the answers to one person. */
  bytesPerPerson: number;
}

const mebibyte = 1_048_576;
const defaultLimits: KeptAnswerLimits = { totalBytes: 64 * mebibyte, bytesPerPerson: 32 * mebibyte };

interface Entry {
  version: AnswerVersion;
  answer: KeptAnswer;
  /** Of the body, for the next answer to the same request. */
  parts: readonly BodyPart[];
  validFrom: number;
  validUntil: number;
  bytes: number;
}

/** The answers to one person. */
interface Person {
  bytes: number;
  /** By request, the least recently used first. */
  entries: Map<string, Entry>;
}

interface State {
  limits: KeptAnswerLimits;
  /** The least recently used first. */
  people: Map<string, Person>;
  totalBytes: number;
  building: Map<string, Promise<Entry | Fault>>;
}

export function createKeptAnswers(limits = defaultLimits): KeptAnswers {
  const state: State = {
    limits,
    people: new Map(),
    totalBytes: 0,
    building: new Map(),
  };
  return { get: (key, now, build) => get(state, key, now, build) };
}

const personKey = ({ accountId, memberId }: AnswerKey): string => `${accountId}.${memberId}`;

const isBefore = (one: AnswerVersion, other: AnswerVersion): boolean =>
  one.rights < other.rights || (one.rights === other.rights && one.list < other.list);

const isSame = (one: AnswerVersion, other: AnswerVersion): boolean =>
  one.rights === other.rights && one.list === other.list;

const isValid = (entry: Entry, now: number): boolean => entry.validFrom <= now && now < entry.validUntil;

function get(
  state: State,
  key: AnswerKey,
  now: number,
  build: () => Promise<BuiltAnswer | Fault>,
): MaybePromise<KeptAnswer | Fault> {
  const known = find(state, key);
  const isKept = known && isSame(known.version, key.version) && isValid(known, now);
  return isKept ? known.answer : getBuilt(state, key, now, build);
}

async function getBuilt(
  state: State,
  key: AnswerKey,
  now: number,
  build: () => Promise<BuiltAnswer | Fault>,
): Promise<KeptAnswer | Fault> {
  const { building } = state;
  const { rights, list } = key.version;
  const buildKey = `${personKey(key)} ${rights}.${list} ${key.request}`;
  const running = building.get(buildKey);
  if (!running) {
    const started = buildEntry(state, key, now, build).finally(() => building.delete(buildKey));
    building.set(buildKey, started);
    return answerOf(await started);
  }
  const shared = await running;
  return isFault(shared) || isValid(shared, now) ? answerOf(shared) : get(state, key, now, build);
}

const answerOf = (entry: Entry | Fault): KeptAnswer | Fault => (isFault(entry) ? entry : entry.answer);

/** Returns the latest answer to this request, whatever its version. */
function find(state: State, key: AnswerKey): Entry | undefined {
  const name = personKey(key);
  const person = state.people.get(name);
  const entry = person?.entries.get(key.request);
  if (!person || !entry) return undefined;
  moveToEnd(state.people, name, person);
  moveToEnd(person.entries, key.request, entry);
  return entry;
}

async function buildEntry(
  state: State,
  key: AnswerKey,
  now: number,
  build: () => Promise<BuiltAnswer | Fault>,
): Promise<Entry | Fault> {
  const built = await build();
  if (isFault(built)) return built;
  const { sections, validUntil } = built;
  const parts = await toParts(sections, find(state, key)?.parts ?? []);
  const body = toChunkedBody(parts.map(({ bytes }) => bytes));
  // Counted twice for the compressed forms, which are kept with the body.
  const bytes = 2 * (body.length + key.request.length) + 1_024;
  const { version } = key;
  const entry = { version, answer: { body, etag: etagOf(parts) }, parts, validFrom: now, validUntil, bytes };
  if (entry.bytes <= state.limits.bytesPerPerson) keep(state, key, entry);
  return entry;
}

function keep(state: State, key: AnswerKey, entry: Entry): void {
  const { people, limits } = state;
  const name = personKey(key);
  const person: Person = people.get(name) ?? { bytes: 0, entries: new Map() };
  const known = person.entries.get(key.request);
  if (known && isBefore(key.version, known.version)) return;
  if (known) drop(state, name, person, key.request);
  moveToEnd(people, name, person);
  person.entries.set(key.request, entry);
  person.bytes += entry.bytes;
  state.totalBytes += entry.bytes;
  while (person.bytes > limits.bytesPerPerson) dropOldest(state, name, person);
  while (state.totalBytes > limits.totalBytes) dropOldest(state, ...people.entries().next().value!);
}

const dropOldest = (state: State, name: string, person: Person): void =>
  drop(state, name, person, person.entries.keys().next().value!);

function drop(state: State, name: string, person: Person, request: string): void {
  const { bytes } = person.entries.get(request)!;
  person.entries.delete(request);
  person.bytes -= bytes;
  state.totalBytes -= bytes;
  if (person.entries.size === 0) state.people.delete(name);
}

function moveToEnd<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}
