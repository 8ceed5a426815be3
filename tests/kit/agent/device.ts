/** An online device as handlers see it: it answers on the bus and holds a lease. */
import type { CommandAnswer } from '@drawbridge/contract/uplink/commands';
import { commandSubject, type CommandMessage } from '@drawbridge/server/gateway/devices/fleet';
import type { RunningServer } from '@drawbridge/server/compose/server';

export interface PluggedIn {
  /** Every command it received, in order. */
  commands: { name: string; input: unknown }[];
  answer: CommandAnswer;
  unplug(): void;
}

/** How long the device stays online without renewing its lease. */
const lease = 30;

export async function plugIn(
  { bus, store }: RunningServer,
  agentId: number,
  answer: CommandAnswer = { done: {} },
): Promise<PluggedIn> {
  const commands: PluggedIn['commands'] = [];
  const unplug = bus.answer(commandSubject(agentId), async (message) => {
    const { name, input } = message as CommandMessage;
    commands.push({ name, input });
    return answer;
  });
  const agents = [{ id: agentId }];
  await store.change('presence/renew', { node: 'test', agents, leaseUntil: store.now() + lease });
  return { commands, answer, unplug };
}
