/** Chooses the bus by the settings, and says in the log how it stands. */
import type { Bus } from './bus/bus.ts';
import { memoryBus } from './bus/memory.ts';
import { natsBus, type OnLine } from './bus/nats.ts';
import type { Log } from './log.ts';

export const openBus = async (url: string | undefined, log: Log): Promise<Bus> =>
  url === undefined ? memoryBus() : natsBus(url, logBusState(log));

const logBusState =
  (log: Log): OnLine =>
  (state, reason) =>
    state === 'up'
      ? log.info({ reason }, 'the bus is up: devices on other servers can be reached')
      : log.error({ reason }, 'the bus is down: devices on other servers cannot be reached; trying again');
