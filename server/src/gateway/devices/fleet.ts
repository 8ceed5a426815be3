/** The devices, as handlers see them. Which process holds a device's socket is the bus's business. */
import { parseAs } from '@drawbridge/contract/parse';
import {
  commands,
  refusal,
  type Command,
  type CommandAnswer,
  type CommandInput,
  type CommandName,
} from '@drawbridge/contract/uplink/commands';
import type { Bus } from '../../bus/bus.ts';

/** Why there is no answer: it is not connected, or it is and did not answer in time, and may still do it. */
export type UnansweredReason = 'offline' | 'silent';

export interface Fleet {
  /** What the device answered. One whose answer makes no sense is as good as offline. */
  command<Name extends CommandName>(
    agentId: number,
    name: Name,
    input: CommandInput<Name>,
  ): Promise<CommandAnswer<Name> | UnansweredReason>;
}

/** How long a device may take to answer, with the way there and back. */
const commandTimeoutMs = 10_000;

export const commandSubject = (agentId: number): string => `agent.${agentId}.command`;

/** Where gateways tell each other which device has come to which node. */
export const agentArrivedSubject = 'agents.arrived';

/** What a gateway answers for a device: its answer, or why there is none. */
export type BusAnswer = CommandAnswer | { none: UnansweredReason };

export const createBusFleet = (bus: Bus): Fleet => ({
  async command(agentId, name, input) {
    const response = bus.request(commandSubject(agentId), { name, input }, commandTimeoutMs);
    // Some commands are sent without waiting for them: nobody would catch what is thrown here.
    const answer = (await response.catch(() => undefined)) as BusAnswer | undefined;
    return parseAnswer(name, answer);
  },
});

/** An answer that makes no sense, of another version of this program perhaps, is as good as none. */
function parseAnswer<Name extends CommandName>(
  name: Name,
  answer: BusAnswer | undefined,
): CommandAnswer<Name> | UnansweredReason {
  if ((answer as { none?: unknown } | undefined)?.none === 'silent') return 'silent';
  const refused = parseAs(refusal, answer).data;
  if (refused) return refused;
  const { output }: Command = commands[name];
  const { data: done } = parseAs(output, (answer as { done?: unknown } | undefined)?.done);
  return done === undefined ? 'offline' : ({ done } as CommandAnswer<Name>);
}
