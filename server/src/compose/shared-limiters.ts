/**
 * Guess limits that hold over all nodes together. One node, the keeper, counts for all; a node asks it only about guesses
 * that its own limiter allows, so that a stranger causes no more messages than guesses of one node.
 */
import { hasAnswer, type Bus } from '../bus/bus.ts';
import type {
  Guess,
  GuessInfo,
  GuessLimiter,
  ShareLimiter,
  SharedGuessLimiter,
} from '../edges/guess-limiter.ts';

export interface LimiterPeers {
  /** The name of this node. */
  id: string;
  /** The names of the other nodes that are alive. */
  others(): readonly string[];
}

interface KeeperQuestion {
  limiter: string;
  secrets: readonly string[];
  address: string;
  about: GuessInfo;
}

interface KeeperReply {
  guess: number;
  allowed: readonly string[];
  /** The node does not have this limiter, because of its roles or its version: the next one is asked. */
  isUnknown?: true;
}

/** How a guess ended, which the keeper needs to know only if it does not count. */
interface GuessEnd {
  guess: number;
  /** The secrets that were guessed right. */
  confirmed?: readonly string[];
  /** The secrets that were not compared. */
  undone?: readonly string[];
}

/** A keeper that takes longer is passed over for a while. */
const answerWithinMs = 3_000;
const passedOverMs = 10_000;
/** Bounds what is remembered of them. */
const maxPassedOver = 1_000;
/** How many keepers may leave a guess without an answer before the node decides alone. */
const maxAsked = 2;
/** How many guesses the keeper remembers until they end. One that is forgotten counts. */
const maxPending = 10_000;

const keeperSubject = (node: string): string => `limits.${node}`;
const endSubject = (node: string): string => `limits.${node}.end`;

interface State {
  bus: Bus;
  peers: LimiterPeers;
  limiters: Map<string, GuessLimiter>;
  /** Until when a node is passed over, by its name, and for one limiter that it does not have, by both names. */
  passedOver: Map<string, number>;
}

export interface SharedLimiters {
  share: ShareLimiter;
  close(): void;
}

export function openSharedLimiters(bus: Bus, peers: LimiterPeers): SharedLimiters {
  const state: State = { bus, peers, limiters: new Map(), passedOver: new Map() };
  const stopKeeping = keepForOthers(state);
  return {
    share(name, limiter) {
      state.limiters.set(name, limiter);
      return { guess: (...guessed) => guessTogether(state, name, limiter, guessed) };
    },
    close: stopKeeping,
  };
}

/** Answers as the keeper: the guesses of other nodes count in the limiters of this one. */
function keepForOthers({ bus, peers, limiters }: State): () => void {
  const pending = new Map<number, Guess>();
  let count = 0;
  const unsubscribers = [
    bus.answer(keeperSubject(peers.id), async (message): Promise<KeeperReply> => {
      const { limiter, secrets, address, about } = message as KeeperQuestion;
      const guess = limiters.get(limiter)?.guess(secrets, address, about);
      // Nodes of earlier versions read only that it allows the guess, and then their own limit holds.
      if (!guess) return { guess: 0, allowed: secrets, isUnknown: true };
      count++;
      if (pending.size >= maxPending) pending.delete(pending.keys().next().value!);
      if (guess.allowed.length > 0) pending.set(count, guess);
      return { guess: count, allowed: guess.allowed };
    }),
    bus.subscribe(endSubject(peers.id), (message) => {
      const { guess, confirmed, undone } = message as GuessEnd;
      if (confirmed) pending.get(guess)?.confirm(confirmed);
      if (undone) pending.get(guess)?.undo(undone);
      pending.delete(guess);
    }),
  ];
  return () => unsubscribers.forEach((unsubscribe) => unsubscribe());
}

type Guessed = Parameters<SharedGuessLimiter['guess']>;

/** If no keeper answers, the limit of this node alone holds. */
async function guessTogether(
  state: State,
  limiter: string,
  { guess }: GuessLimiter,
  [secrets, address, about = {}]: Guessed,
): Promise<Guess> {
  const own = guess(secrets, address, about);
  if (own.allowed.length === 0) return own;
  const question = { limiter, secrets: own.allowed, address, about };
  const kept = await askKeeper(state, question);
  if (!kept) return own;
  const { keeper, reply } = kept;
  const refused = own.allowed.filter((secret) => !reply.allowed.includes(secret));
  if (refused.length === own.allowed.length) own.undo();
  const end = (how: Omit<GuessEnd, 'guess'>): void =>
    state.bus.publish(endSubject(keeper), { guess: reply.guess, ...how } satisfies GuessEnd);
  return {
    allowed: reply.allowed,
    confirm(which) {
      own.confirm(which);
      end({ confirmed: which });
    },
    undo(which = reply.allowed) {
      own.undo([...which, ...refused]);
      end({ undone: which });
    },
  };
}

/** The keeper is the first node that has the limiter and answers. Undefined if it is this node, or none answers. */
async function askKeeper(
  state: State,
  question: KeeperQuestion,
): Promise<{ keeper: string; reply: KeeperReply } | undefined> {
  const { bus, peers } = state;
  const { limiter } = question;
  let silent = 0;
  for (const keeper of [peers.id, ...peers.others()].toSorted()) {
    if (keeper === peers.id || silent >= maxAsked) return undefined;
    if (isPassedOver(state, keeper, limiter)) continue;
    const reply = await bus.request(keeperSubject(keeper), question, answerWithinMs);
    if (!hasAnswer(reply)) {
      passOver(state, keeper);
      silent++;
    } else if ((reply as KeeperReply).isUnknown) passOver(state, lackingKey(keeper, limiter));
    else return { keeper, reply: reply as KeeperReply };
  }
  return undefined;
}

const lackingKey = (node: string, limiter: string): string => `${node} ${limiter}`;

const isPassedOver = ({ passedOver }: State, node: string, limiter: string): boolean =>
  [node, lackingKey(node, limiter)].some((key) => (passedOver.get(key) ?? -Infinity) > performance.now());

function passOver({ passedOver }: State, key: string): void {
  if (passedOver.size > maxPassedOver) passedOver.clear();
  passedOver.set(key, performance.now() + passedOverMs);
}
