/** The devices, as handlers see them. The bus finds the process that holds a device's WebSocket. */
import { parseAs } from '@drawbridge/contract/parse';
import {
  commands,
  refusal,
  type Command,
  type CommandAnswer,
  type CommandInput,
  type CommandName,
} from '@drawbridge/contract/uplink/commands';
import { nodeUnreachable, type Bus } from '../../bus/bus.ts';

/**
 * Why there is no answer: the device is not connected, it did not answer in time and may still run the command, or the
 * node that holds its connection cannot be reached.
 */
export type UnansweredReason = 'offline' | 'silent' | 'unreachable';

export interface Fleet {
  /** Resolves to the device's answer. A device that sends an invalid answer counts as offline. */
  command<Name extends CommandName>(
    agentId: number,
    name: Name,
    input: CommandInput<Name>,
  ): Promise<CommandAnswer<Name> | UnansweredReason>;
}

/** How long a device may take to answer, including the time on the network. */
export const commandTimeoutMs = 10_000;

export const commandSubject = (agentId: number): string => `agent.${agentId}.command`;

/** On this subject gateways announce which device has connected to which node. */
export const agentArrivedSubject = 'agents.arrived';

/** What a gateway answers for a device: the device's answer, or why there is none. */
export type BusAnswer = CommandAnswer | { none: UnansweredReason };

export const createBusFleet = (bus: Bus): Fleet => ({
  async command(agentId, name, input) {
    const response = bus.request(commandSubject(agentId), { name, input }, commandTimeoutMs);
    // Some callers do not await the result, so a rejection would stay unhandled.
    const answer = await response.catch(() => undefined);
    return answer === nodeUnreachable ? 'unreachable' : parseAnswer(name, answer as BusAnswer | undefined);
  },
});

/** An invalid answer, perhaps from another version of this program, counts as none. */
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
