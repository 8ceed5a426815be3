/** Sends devices their policy: when they connect, and within a second after it may have changed. */
import { isDeepStrictEqual } from 'node:util';
import { commands } from '@drawbridge/contract/uplink/commands';
import type { Log } from '../../edges/log.ts';
import type { NumberedPolicy } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { sendCommand, type UplinkConnection } from './uplink-connection.ts';

export interface PolicyDelivery {
  /** A device has connected: it receives its policy soon. */
  arrived(connection: UplinkConnection): void;
  close(): Promise<void>;
}

export interface PolicyDeliveryDeps {
  store: Pick<Store, 'policies'>;
  log: Log;
  connections(): Iterable<UplinkConnection>;
}

interface State {
  readonly deps: PolicyDeliveryDeps;
  /** The delivery that runs now. */
  delivering: Promise<void> | undefined;
  /** Devices that have just connected. They wait a moment, so that many of them share one delivery. */
  arrived: UplinkConnection[];
  arrivals: NodeJS.Timeout | undefined;
  /** Who is due for the next delivery. */
  due: 'arrived' | 'all' | undefined;
}

const checkEveryMs = 1_000;
const arrivalDelayMs = 20;
/** How many policies are read at once. */
const batchSize = 500;

export function startPolicyDelivery(deps: PolicyDeliveryDeps): PolicyDelivery {
  const state: State = { deps, delivering: undefined, arrived: [], arrivals: undefined, due: undefined };
  const timer = setInterval(() => {
    state.due = 'all';
    deliver(state);
  }, checkEveryMs);
  return {
    arrived(connection) {
      state.arrived.push(connection);
      state.arrivals ??= setTimeout(() => {
        state.arrivals = undefined;
        state.due ??= 'arrived';
        deliver(state);
      }, arrivalDelayMs);
    },
    async close() {
      clearInterval(timer);
      clearTimeout(state.arrivals);
      state.due = undefined;
      await state.delivering;
    },
  };
}

/** One delivery at a time, so that no device receives an older policy after a newer one. */
function deliver(state: State): void {
  const { deps, due, arrived } = state;
  if (state.delivering || !due) return;
  [state.due, state.arrived] = [undefined, []];
  const connections =
    due === 'all' ? deps.connections() : arrived.filter(({ socket }) => socket.readyState === socket.OPEN);
  state.delivering = deliverTo(connections, deps)
    .catch((error: unknown) =>
      deps.log.warn({ err: error }, 'policies could not be sent to devices; trying again later'),
    )
    .finally(() => {
      state.delivering = undefined;
      deliver(state);
    });
}

/** A device that waits for approval receives no commands, and an older agent does not know this one. */
const canReceive = ({ approved, version }: UplinkConnection): boolean =>
  approved && version >= commands.policy.since;

async function deliverTo(
  connections: Iterable<UplinkConnection>,
  { store, log }: PolicyDeliveryDeps,
): Promise<void> {
  const byAccount = Map.groupBy([...connections].filter(canReceive), ({ accountId }) => accountId);
  if (byAccount.size === 0) return;
  const versions = await store.policies.versions([...byAccount.keys()]);
  for (const [accountId, devices] of byAccount) {
    const behind = devices.filter(({ policy }) => policy?.number !== versions.get(accountId));
    for (let first = 0; first < behind.length; first += batchSize) {
      const batch = new Map(behind.slice(first, first + batchSize).map((each) => [each.agentId, each]));
      for (const { id, ...policy } of await store.policies.ofAgents(accountId, [...batch.keys()]))
        void send(log, batch.get(id)!, policy);
    }
  }
}

/** A device that refuses its policy receives it again with the next change and the next connection. */
async function send(
  log: Log,
  connection: UplinkConnection,
  { number, policy }: NumberedPolicy,
): Promise<void> {
  const before = connection.policy;
  connection.policy = { number, policy };
  if (isDeepStrictEqual(before?.policy, policy)) return;
  const answer = await sendCommand(connection, 'policy', { number, policy });
  if (typeof answer === 'object' && 'refused' in answer)
    log.warn({ agent: connection.agentId, reason: answer.refused }, 'a device refused its policy');
}
