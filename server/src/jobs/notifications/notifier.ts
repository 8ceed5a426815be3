/** Evaluates notifications regularly, in one process at a time, and mails them. */
import { nextRound, roundLease, type NotificationRound } from '../../domain/notifications/notifications.ts';
import type { Store } from '../../store/store.ts';
import { findItems } from './find-items.ts';
import { mailNotifications, type MailDeps } from './mail.ts';
import { createSubscribers } from './subscribers.ts';
import { settleOutages, tellSubscribers } from './tell.ts';

export interface Notifier {
  /** Runs one round. Rounds run one after the other. */
  run(): Promise<void>;
  /** Resolves when the last round has ended and another process can evaluate. */
  close(): Promise<void>;
}

interface State {
  store: Store;
  /** A name that no other process ever has. */
  node: string;
  mail: MailDeps | undefined;
  /** The last round, while this process evaluates. */
  previous: NotificationRound | undefined;
  /** The last round that was requested, without its failure. */
  tail: Promise<void>;
  /** A round that has not begun: it stands for everyone who requests one. */
  next: Promise<void> | undefined;
  /** Sends e-mails at the moment. A slow mail server does not delay rounds. */
  mailing: Promise<void> | undefined;
  stop: AbortController;
}

export function createNotifier(store: Store, node: string, mail: MailDeps | undefined): Notifier {
  const state: State = {
    store,
    node,
    mail,
    previous: undefined,
    tail: Promise.resolve(),
    next: undefined,
    mailing: undefined,
    stop: new AbortController(),
  };
  return {
    async run() {
      await nextEvaluation(state);
      await sendMail(state);
    },
    async close() {
      state.stop.abort();
      await state.tail;
      await state.mailing?.catch(() => {});
      if (state.previous) await store.change('notifications/release', { node });
    },
  };
}

/** Runs after the current round. A database that does not respond lets only one round wait. */
function nextEvaluation(state: State): Promise<void> {
  if (state.next) return state.next;
  const next = state.tail.then(() => {
    state.next = undefined;
    return evaluate(state);
  });
  state.next = next;
  state.tail = next.catch(() => {});
  return next;
}

function sendMail(state: State): Promise<void> {
  const { store, mail, stop } = state;
  if (!mail || stop.signal.aborted) return Promise.resolve();
  state.mailing ??= mailNotifications(store, mail, stop.signal).finally(() => (state.mailing = undefined));
  return state.mailing;
}

async function evaluate(state: State): Promise<void> {
  const { store, mail } = state;
  if (state.stop.signal.aborted) return;
  const minutes = await store.notifications.minutes();
  if (minutes.length === 0) return void (state.previous = undefined);
  state.previous ??= await claim(state);
  if (!state.previous) return;
  const round = nextRound(state.previous, store.now());
  state.previous = undefined; // until it is stored
  const subscribersOf = createSubscribers(store);
  const found = await findItems(store, subscribersOf, round);
  const claimed = { node: state.node, round, leaseUntil: store.now() + roundLease };
  const { recorded } = await store.change('notifications/record', { ...claimed, ...found });
  if (!recorded) return;
  state.previous = round;
  await settleOutages(store, subscribersOf);
  await tellSubscribers(store, subscribersOf, mail !== undefined);
}

async function claim({ store, node }: State): Promise<NotificationRound | undefined> {
  const leaseUntil = store.now() + roundLease;
  const { round } = await store.change('notifications/claim', { node, leaseUntil });
  return round ?? undefined;
}
