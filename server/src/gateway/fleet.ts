/** The devices, as handlers see them. Which process holds a device's socket is the bus's business. */
import {
  commandAnswer,
  type CommandAnswer,
  type CommandInput,
  type CommandName,
} from '@drawbridge/contract/uplink/commands';
import type { Bus } from '../bus/bus.ts';

export interface Fleet {
  /** What the device answered; `offline` when none answered in time, or none that made sense. */
  command<Name extends CommandName>(
    agentId: number,
    name: Name,
    input: CommandInput<Name>,
  ): Promise<CommandAnswer | 'offline'>;
}

/** How long a device may take to answer. */
const patienceMs = 10_000;

export const commandSubject = (agentId: number): string => `agent.${agentId}.command`;

export const busFleet = (bus: Bus): Fleet => ({
  async command(agentId, name, input) {
    const asked = bus.request(commandSubject(agentId), { name, input }, patienceMs);
    // Some commands are sent without waiting for them: nobody would catch what is thrown here.
    const answer = await asked.catch(() => undefined);
    const known = commandAnswer.safeParse(answer);
    // A device that answers nonsense is as good as one that does not answer.
    return known.success ? known.data : 'offline';
  },
});
