/** Turns the result of a command to a device into a fault of the API. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import type { CommandAnswer } from '@drawbridge/contract/uplink/commands';
import type { UnansweredReason } from '../gateway/devices/fleet.ts';

type CommandResult = CommandAnswer | UnansweredReason;

const faults: Record<UnansweredReason, { code: string; message: string }> = {
  offline: { code: 'agent_offline', message: 'The device is offline.' },
  silent: {
    code: 'agent_silent',
    message: 'The device did not answer in time. It may still carry out the command.',
  },
  unreachable: {
    code: 'node_unreachable',
    message: 'The server that holds the connection of the device does not respond. Try again in a minute.',
  },
};

/** Returns undefined if the command was carried out; `field` is the input field that names the device. */
export function commandFault(answer: CommandResult, field: string): Fault<'invalid'> | undefined {
  if (typeof answer === 'string') return fault('invalid', { ...faults[answer], field });
  return 'refused' in answer
    ? fault('invalid', { code: 'agent_refused', message: answer.refused })
    : undefined;
}
