/** Opens the bus that the settings name, and logs when it goes up or down. */
import { createHash, randomBytes } from 'node:crypto';
import type { Bus } from '../bus/bus.ts';
import type { FetchKeys } from '../bus/key-ring.ts';
import { createMemoryBus } from '../bus/memory.ts';
import { openNatsBus } from '../bus/nats.ts';
import type { OnConnectionState } from '../bus/nats-connection.ts';
import type { BusConfig } from '../config/bus-config.ts';
import type { Log } from '../edges/log.ts';
import { loadIdentity } from '../gateway/devices/identity.ts';
import type { Store } from '../store/store.ts';
import { createFailureLog } from './nodes/failure-log.ts';
import { StartRefused } from './start-refused.ts';

type BusLog = Pick<Log, 'info' | 'error'>;

/** `onConnected`: called when NATS is connected or lost, at the start too. */
export async function openBus(
  nats: BusConfig | undefined,
  store: Store,
  log: BusLog,
  onConnected: (isConnected: boolean) => void = () => {},
): Promise<Bus> {
  const { onFailure, onSuccess } = createFailureLog(
    log,
    'a message between servers could not be sent or handled',
  );
  if (!nats) return createMemoryBus(onFailure);
  const logState = logBusState(log);
  onConnected(true); // until it turns out otherwise
  const bus = await openNatsBus({
    nats,
    deployment: await deploymentOf(store),
    fetchKeys: fetchKeysFrom(store),
    now: store.now,
    onState(state, reason) {
      if (state !== 'refused') onConnected(state === 'up');
      if (state === 'up') onSuccess(); // what fails from now on is logged again
      logState(state, reason);
    },
    onFailure,
  });
  if ('refused' in bus)
    throw new StartRefused(`NATS at DRAWBRIDGE_BUS does not accept this server: ${bus.refused}.`);
  return bus;
}

/** Distinguishes this deployment from others on the same NATS: servers on one database have one key. */
async function deploymentOf(store: Store): Promise<string> {
  const { publicKey } = await loadIdentity(store);
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
}

const keyBytes = 32;

const fetchKeysFrom =
  (store: Store): FetchKeys =>
  async () => {
    const { keys } = await store.change('bus/keys', { fresh: randomBytes(keyBytes).toString('base64') });
    return keys.map(({ id, secret }) => ({ id, secret: Buffer.from(secret, 'base64') }));
  };

const logBusState =
  (log: BusLog): OnConnectionState =>
  (state, reason) => {
    if (state === 'up') log.info({ reason }, 'the bus is up: devices on other servers can be reached');
    else if (state === 'down')
      log.error({ reason }, 'the bus is down: devices on other servers cannot be reached; trying again');
    else log.error({ reason }, 'NATS refused this server, or a message or subscription of it');
  };
