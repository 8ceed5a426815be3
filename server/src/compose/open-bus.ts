/** Opens the bus that the settings name, and logs when it goes up or down. */
import type { Bus } from '../bus/bus.ts';
import { createMemoryBus } from '../bus/memory.ts';
import { openNatsBus, type OnConnectionState } from '../bus/nats.ts';
import type { Log } from '../edges/log.ts';

export const openBus = async (url: string | undefined, log: Log): Promise<Bus> =>
  url === undefined ? createMemoryBus() : openNatsBus(url, logBusState(log));

const logBusState =
  (log: Log): OnConnectionState =>
  (state, reason) =>
    state === 'up'
      ? log.info({ reason }, 'the bus is up: devices on other servers can be reached')
      : log.error({ reason }, 'the bus is down: devices on other servers cannot be reached; trying again');
