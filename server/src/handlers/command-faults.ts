/** Turns the result of a command to a device into a fault of the API. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import type { CommandAnswer } from '@drawbridge/contract/uplink/commands';
import type { UnansweredReason } from '../gateway/devices/fleet.ts';

type CommandResult = CommandAnswer | UnansweredReason;

const messages: Record<UnansweredReason, string> = {
  offline: 'The device is offline.',
  silent: 'The device did not answer in time. It may still carry out the command.',
};

/** Returns undefined if the command was carried out; `field` is the input field that names the device. */
export function commandFault(answer: CommandResult, field: string): Fault<'invalid'> | undefined {
  if (typeof answer === 'string')
    return fault('invalid', { code: `agent_${answer}`, field, message: messages[answer] });
  return 'refused' in answer
    ? fault('invalid', { code: 'agent_refused', message: answer.refused })
    : undefined;
}
