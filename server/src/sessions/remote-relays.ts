/** The sessions of this node at relays in other regions, as these report them over their control connections. */
import { leaveCodes } from '@drawbridge/contract/close-codes';
import type { ActiveSession } from './active-sessions.ts';
import type {
  RelayLink,
  RemoteRelays,
  RemoteRelaysOptions,
  ReportedMessage,
} from './remote-relays-interface.ts';
import type { RelayTarget } from './signer.ts';

interface HeldPair {
  session: number;
  bytes: number;
  isJoined: boolean;
  isPaired: boolean;
  assignedAt: number;
}

interface RelayState {
  readonly target: RelayTarget & { name: string };
  link: RelayLink | undefined;
  isUp: boolean;
  downAt: number;
  readonly pairs: Map<string, HeldPair>;
  /** Ends that the relay must be told once it is back. */
  readonly closing: Map<string, string>;
}

interface State {
  readonly options: Omit<RemoteRelaysOptions<never>, 'entries' | 'connect'>;
  readonly relays: readonly RelayState[];
  /** The relay at which a session did not come about. */
  readonly failed: Map<number, string>;
}

const checkEveryMs = 1_000;
/** A relay ends the sessions of a server that stays away for 30 seconds. */
const giveUpAfterMs = 35_000;
/** Longer than a ticket is valid. */
const joinTimeoutMs = 120_000;
const releaseTimeoutMs = 2_000;
const maxNoted = 10_000;

export function createRemoteRelays<Entry extends RelayTarget & { name: string }>(
  given: RemoteRelaysOptions<Entry>,
): RemoteRelays {
  const { entries, connect, ...options } = given;
  const relays = entries.map((target): RelayState => createState(target));
  const state: State = { options, relays, failed: new Map() };
  const find = (pair: string): RelayState | undefined => relays.find(({ pairs }) => pairs.has(pair));
  let timer: NodeJS.Timeout | undefined;
  return {
    offersFor: (session) =>
      relays
        .filter(({ isUp, target }) => isUp && state.failed.get(session) !== target.name)
        .map(({ target: { name, url } }) => ({ name, url })),
    assign: (name, session) => assign(state, name, session),
    holds: (pair) => find(pair) !== undefined,
    has: (pair) => find(pair)?.pairs.get(pair)?.isJoined ?? false,
    bytesOf: (pair) => find(pair)?.pairs.get(pair)?.bytes ?? 0,
    close: (pair, reason) => close(state, find(pair), pair, reason),
    release: (pair) => release(state, find(pair), pair),
    start() {
      if (relays.length > 0) timer = setInterval(() => check(state), checkEveryMs);
      for (const [index, relay] of relays.entries())
        relay.link = connect(entries[index]!, {
          pairs: () => [...relay.pairs.keys()],
          onMessage: (message) => onMessage(state, relay, message),
          onDown: (why) => onDown(state, relay, why),
        });
    },
    async stop() {
      clearInterval(timer);
      await releaseAll(state);
      for (const { link } of relays) link?.close();
    },
  };
}

const createState = (target: RelayState['target']): RelayState => ({
  target,
  link: undefined,
  isUp: false,
  downAt: 0,
  pairs: new Map(),
  closing: new Map(),
});

function assign(
  { relays }: State,
  wanted: string,
  { id, pair }: Pick<ActiveSession, 'id' | 'pair'>,
): RelayTarget | undefined {
  const relay = relays.find(({ isUp, target }) => isUp && target.name === wanted);
  if (!relay) return undefined;
  const assignedAt = performance.now();
  relay.pairs.set(pair, { session: id, bytes: 0, isJoined: false, isPaired: false, assignedAt });
  return { url: relay.target.url, key: relay.target.key };
}

function onMessage(state: State, relay: RelayState, message: ReportedMessage): void {
  if (message.kind === 'welcome') return onUp(state, relay, message.sessions);
  if (message.kind === 'bytes') return message.counts.forEach((count) => noteBytes(relay, count));
  const { pair } = message;
  const held = relay.pairs.get(pair);
  // The end of what was given up in the meantime is of no interest any more.
  if (!held) return;
  held.isJoined = true;
  if (message.kind === 'paired') notePaired(state, held, pair);
  if (message.kind !== 'end') return;
  remove(state, relay, pair);
  state.options.onEnd({
    pair,
    bytesToOperator: message.to_operator,
    bytesToDevice: message.to_device,
    directBytes: message.direct,
    by: message.by,
    code: message.code,
  });
}

function noteBytes({ pairs }: RelayState, { pair, bytes }: { pair: string; bytes: number }): void {
  const held = pairs.get(pair);
  if (held) held.bytes = Math.max(held.bytes, bytes);
}

function notePaired({ options }: State, held: HeldPair, pair: string): void {
  if (held.isPaired) return;
  held.isPaired = true;
  options.onPaired(pair);
}

/** Compares what both know: the relay may have been restarted, or have ended sessions in the meantime. */
function onUp(
  state: State,
  relay: RelayState,
  sessions: Extract<ReportedMessage, { kind: 'welcome' }>['sessions'],
): void {
  const { options } = state;
  relay.isUp = true;
  options.log.info({ relay: relay.target.name }, 'a relay is connected');
  options.onChange(relay.target.name, true);
  const known = new Set(sessions.map(({ pair }) => pair));
  for (const [pair, held] of relay.pairs) if (held.isJoined && !known.has(pair)) giveUp(state, relay, pair);
  for (const { pair, paired, bytes } of sessions) {
    const held = relay.pairs.get(pair);
    if (!held) continue;
    held.isJoined = true;
    noteBytes(relay, { pair, bytes });
    if (paired) notePaired(state, held, pair);
  }
  for (const [pair, reason] of relay.closing) relay.link?.send({ kind: 'close', pair, reason });
  relay.closing.clear();
}

function onDown({ options }: State, relay: RelayState, why: string): void {
  const { name } = relay.target;
  const isNews = relay.isUp || relay.downAt === 0;
  if (isNews) relay.downAt = performance.now();
  relay.isUp = false;
  if (isNews) options.log.warn({ relay: name, why }, 'a relay is away; new sessions use another');
  options.onChange(name, false);
}

function close(state: State, relay: RelayState | undefined, pair: string, reason: string): void {
  const held = relay?.pairs.get(pair);
  if (!relay || !held) return;
  if (!held.isPaired) noteFailure(state, relay, held);
  if (relay.isUp) relay.link?.send({ kind: 'close', pair, reason });
  else if (relay.closing.size < maxNoted) relay.closing.set(pair, reason);
  if (!held.isJoined) relay.pairs.delete(pair);
  else if (!relay.isUp) giveUp(state, relay, pair);
}

function release(state: State, relay: RelayState | undefined, pair: string): void {
  if (relay?.isUp) relay.link?.send({ kind: 'release', pair });
  else if (relay) giveUp(state, relay, pair);
}

/** What is known of a pairing is all that will ever be known: the session can be resumed elsewhere. */
function giveUp(state: State, relay: RelayState, pair: string): void {
  const bytesToOperator = relay.pairs.get(pair)?.bytes ?? 0;
  remove(state, relay, pair);
  const lost = { bytesToDevice: 0, directBytes: 0, by: 'fault', code: leaveCodes.lost } as const;
  state.options.onEnd({ pair, bytesToOperator, ...lost });
}

function remove(state: State, relay: RelayState, pair: string): void {
  const held = relay.pairs.get(pair);
  relay.pairs.delete(pair);
  if (held && !held.isPaired) noteFailure(state, relay, held);
}

function noteFailure({ failed }: State, { target }: RelayState, { session }: HeldPair): void {
  if (failed.size >= maxNoted) failed.clear();
  failed.set(session, target.name);
}

function check(state: State): void {
  const now = performance.now();
  for (const relay of state.relays) {
    const isLost = !relay.isUp && now - relay.downAt >= giveUpAfterMs;
    for (const [pair, { isJoined, assignedAt }] of relay.pairs) {
      if (isJoined && isLost) giveUp(state, relay, pair);
      else if (!isJoined && now - assignedAt >= joinTimeoutMs) relay.pairs.delete(pair);
    }
  }
}

async function releaseAll(state: State): Promise<void> {
  const all = state.relays.flatMap((relay) => [...relay.pairs.keys()].map((pair) => ({ relay, pair })));
  for (const { relay, pair } of all) release(state, relay, pair);
  const end = performance.now() + releaseTimeoutMs;
  const isLeft = (): boolean => all.some(({ relay, pair }) => relay.pairs.get(pair)?.isJoined);
  while (isLeft() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  for (const { relay, pair } of all) if (relay.pairs.has(pair)) giveUp(state, relay, pair);
}
