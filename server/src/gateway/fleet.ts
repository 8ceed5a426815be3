/** The devices, as handlers see them. Which process holds a device's socket is the bus's business. */
import {
  commandAnswer,
  type CommandAnswer,
  type CommandInput,
  type CommandName,
} from '@drawbridge/contract/uplink/commands';
import type { Bus } from '../bus/bus.ts';

export interface Fleet {
  /** What the device answered; `offline` when no device answered in time. */
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
    const answer = await bus.request(commandSubject(agentId), { name, input }, patienceMs);
    return answer === undefined ? 'offline' : commandAnswer.parse(answer);
  },
});
