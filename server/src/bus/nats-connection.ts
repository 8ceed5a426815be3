/** The connection to NATS: tried at the start, repeated in the background, and watched. */
import { setTimeout as pause } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { findCertificateProblem } from './nats-greeting.ts';
import { isPassing, natsOptions, retryMs, type NatsSettings } from './nats-options.ts';

/** Reports to the administrator that the connection to NATS was lost or established, or that NATS refused something. */
export type OnConnectionState = (state: 'up' | 'down' | 'refused', reason: string) => void;

/** Why NATS does not accept this server; trying again would not help. */
export interface BusRefusal {
  refused: string;
}

export interface BusConnection {
  /** Undefined until the first connection. */
  nats: NatsConnection | undefined;
  /** Whether NATS is connected now. */
  up: boolean;
  close(): Promise<void>;
}

export interface ConnectionListeners {
  onState: OnConnectionState;
  onConnected(nats: NatsConnection): void;
  /** Called when NATS is connected after it was not. */
  onGap(): void;
}

/** Tries once before it resolves, and then in the background until it succeeds. */
export async function openNatsConnection(
  settings: NatsSettings,
  { onState: onEveryState, onConnected, onGap }: ConnectionListeners,
): Promise<BusConnection | BusRefusal> {
  const onState = reportOnce(onEveryState);
  const end = new AbortController();
  const connection = createConnection(end);
  const attempt = async (): Promise<Error | undefined> => {
    const nats = await connectOnce(settings).catch((error: Error) => ({ error }));
    if ('error' in nats) return nats.error;
    if (end.signal.aborted) {
      await nats.close();
      return undefined;
    }
    Object.assign(connection, { nats, up: true });
    onConnected(nats);
    void watchConnection(nats, connection, { onState, onGap });
    return undefined;
  };
  const problem = await attempt();
  if (problem === undefined) return connection;
  const refused = await whyRefused(problem, settings);
  if (refused !== undefined) return { refused };
  onState('down', String(problem));
  void retryUntilConnected({ settings, onState, onGap, attempt, signal: end.signal }, problem);
  return connection;
}

interface RetryOptions extends Omit<ConnectionListeners, 'onConnected'> {
  settings: NatsSettings;
  /** Resolves to why it failed. */
  attempt(): Promise<Error | undefined>;
  signal: AbortSignal;
}

/** Reports it when NATS refuses this server, for another reason than at the attempt before. */
async function retryUntilConnected(
  { settings, onState, onGap, attempt, signal }: RetryOptions,
  problem: Error,
): Promise<void> {
  let last: Error | undefined = problem;
  while (last !== undefined) {
    await pause(retryMs, undefined, { signal, ref: false }).catch(() => {});
    const current = signal.aborted ? undefined : await attempt();
    const isNew = current !== undefined && current.message !== last.message;
    const reason = isNew ? await whyRefused(current, settings) : undefined;
    if (reason !== undefined) onState('refused', reason);
    last = current;
  }
  if (signal.aborted) return;
  onState('up', 'it answers now');
  onGap();
}

const createConnection = (end: AbortController): BusConnection => ({
  nats: undefined,
  up: false,
  async close() {
    end.abort();
    const wasUp = this.up;
    this.up = false;
    // The connection may be lost without notice: then draining fails.
    if (wasUp) await this.nats?.drain().catch(() => {});
    await this.nats?.close();
  },
});

/** NATS refuses the same server at each attempt, which is reported once until the reason changes or NATS accepts it. */
function reportOnce(onState: OnConnectionState): OnConnectionState {
  let refusal: string | undefined;
  return (state, reason) => {
    if (state === 'refused' && reason === refusal) return;
    if (state !== 'down') refusal = state === 'refused' ? reason : undefined;
    onState(state, reason);
  };
}

/** Undefined if NATS is only not there. */
const whyRefused = async (problem: Error, settings: NatsSettings): Promise<string | undefined> =>
  isPassing(problem) ? findCertificateProblem(settings) : problem.message;

async function connectOnce(settings: NatsSettings): Promise<NatsConnection> {
  const { connect } = await import('@nats-io/transport-node'); // loaded here, because most servers have no bus
  return connect(await natsOptions(settings));
}

/** Follows the state of the connection and reports when it is lost and when it is back. */
async function watchConnection(
  nats: NatsConnection,
  connection: BusConnection,
  { onState, onGap }: Omit<ConnectionListeners, 'onConnected'>,
): Promise<void> {
  for await (const status of nats.status()) {
    const { type } = status;
    if (type === 'error') onState('refused', status.error.message);
    if (type === 'disconnect' && connection.up) {
      connection.up = false;
      onState('down', 'the connection was lost');
    }
    // The client reports it once for every attempt.
    if (type !== 'reconnect' || connection.up) continue;
    connection.up = true;
    onState('up', 'it answers again');
    onGap();
  }
  connection.up = false;
}
