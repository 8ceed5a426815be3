/** A device on line, as far as handlers can tell: it answers on the bus and holds a lease. */
import type { CommandAnswer } from '@drawbridge/contract/uplink/commands';
import { commandSubject } from '@drawbridge/server/gateway/devices/fleet';
import type { RunningServer } from '@drawbridge/server/compose/server';

export interface PluggedIn {
  /** Every command it was told, in order. */
  heard: { name: string; input: unknown }[];
  answer: CommandAnswer;
  unplug(): void;
}

/** How long the device stays on line without doing anything. */
const lease = 30;

export async function plugIn(
  { bus, store }: RunningServer,
  agentId: number,
  answer: CommandAnswer = { done: {} },
): Promise<PluggedIn> {
  const heard: PluggedIn['heard'] = [];
  const unplug = bus.answer(commandSubject(agentId), async (message) => {
    heard.push(message as PluggedIn['heard'][number]);
    return answer;
  });
  const agents = [{ id: agentId }];
  await store.change('presence/renew', { node: 'test', agents, leaseUntil: store.now() + lease });
  return { heard, answer, unplug };
}
