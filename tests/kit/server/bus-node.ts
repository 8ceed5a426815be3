/** A node on NATS without a store. Nodes of one deployment hold the same keys. */
import type { Bus } from '@drawbridge/server/bus/bus';
import type { BusKey } from '@drawbridge/server/bus/envelope';
import { openNatsBus, type NatsBusOptions } from '@drawbridge/server/bus/nats';

export const someBusKey = (id: number): BusKey => ({ id, secret: Buffer.alloc(32, id) });

export const natsAt = (...addresses: string[]): NatsBusOptions['nats'] => ({
  addresses,
  credentials: undefined,
  ca: undefined,
  cert: undefined,
  key: undefined,
});

/** Throws the reason if NATS refuses the node. */
export async function openNode(url: string, options: Partial<NatsBusOptions> = {}): Promise<Bus> {
  const bus = await openNatsBus({
    nats: natsAt(url),
    deployment: 'tests',
    fetchKeys: async () => [someBusKey(1)],
    now: () => Math.floor(Date.now() / 1_000),
    ...options,
  });
  if ('refused' in bus) throw new Error(`refused: ${bus.refused}`);
  return bus;
}
