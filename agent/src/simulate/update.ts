/** How a simulated device updates itself: it downloads nothing, and connects again some seconds later with the new version. */
import { commands } from '@drawbridge/contract/uplink/commands';
import type { Facts } from '@drawbridge/contract/uplink/facts';
import { parseAs } from '@drawbridge/contract/parse';
import type { UplinkHandle } from '../uplink/connection.ts';

export interface SimulatedUpdates {
  connected(uplink: UplinkHandle): void;
  /** `input`: that of the command. */
  begin(input: unknown): void;
}

export function createSimulatedUpdates(facts: Facts, random: () => number): SimulatedUpdates {
  let uplink: UplinkHandle | undefined;
  let hasUpdated = false;
  return {
    connected(ready) {
      uplink = ready;
      if (hasUpdated) ready.sendUpdate({ state: 'done', version: facts.version });
      hasUpdated = false;
    },
    begin(input) {
      const { data } = parseAs(commands.self_update.input, input);
      if (!data) return;
      uplink?.sendUpdate({ state: 'downloading', version: data.version });
      const restart = (): void => {
        hasUpdated = true;
        facts.version = data.version;
        uplink?.close();
      };
      setTimeout(restart, 2_000 + random() * 6_000).unref();
    },
  };
}
