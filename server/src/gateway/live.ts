/** One device on line: its socket, the commands that wait for its answer, and when it was last heard. */
import { parseAs } from '@drawbridge/contract/parse';
import {
  commands,
  type Command,
  type CommandAnswer,
  type CommandName,
} from '@drawbridge/contract/uplink/commands';
import type { DownMessage } from '@drawbridge/contract/uplink/messages';
import type { WebSocket } from 'ws';
import type { UnansweredReason } from './fleet.ts';

export interface Live {
  agentId: number;
  accountId: number;
  /** The public key of the device. */
  key: string;
  /** The version of the uplink the device speaks. */
  version: number;
  approved: boolean;
  address: string;
  heardAt: number;
  /** When the next sign of life is asked for. */
  askAt: number;
  socket: WebSocket;
  waiting: Map<number, (answer: CommandAnswer | UnansweredReason) => void>;
  lastNumber: number;
}

export const say = (socket: WebSocket, message: DownMessage): void => socket.send(JSON.stringify(message));

/** How long a device may take to answer a command; one that is unlinked has little to say. */
const answerTimeoutMs = (name: string): number => (name === 'logout' ? 2_000 : 9_000);

/** Tells the device to do something and waits for its answer. */
export function command(live: Live, name: string, input: unknown): Promise<CommandAnswer | UnansweredReason> {
  if (!Object.hasOwn(commands, name) || commands[name as CommandName].since > live.version)
    return Promise.resolve({ refused: 'The agent on the device is too old for this: update it.' });
  if (!live.approved && name !== 'logout')
    return Promise.resolve({ refused: 'The device is waiting for approval.' });
  const { promise, resolve } = Promise.withResolvers<CommandAnswer | UnansweredReason>();
  const number = ++live.lastNumber;
  const timer = setTimeout(() => settle(live, number, 'silent'), answerTimeoutMs(name));
  live.waiting.set(number, (answer) => {
    clearTimeout(timer);
    resolve(typeof answer === 'string' ? answer : checked(name as CommandName, answer));
  });
  say(live.socket, { kind: 'command', number, name, input });
  return promise;
}

/** Hands an answer to whoever waits for it. */
export function settle(live: Live, number: number, answer: CommandAnswer | UnansweredReason): void {
  const waiting = live.waiting.get(number);
  live.waiting.delete(number);
  waiting?.(answer);
}

/** An answer of the wrong shape counts as a refusal: the device is not to be believed. */
function checked(name: CommandName, answer: CommandAnswer): CommandAnswer {
  if ('refused' in answer) return answer;
  const { output }: Command = commands[name];
  const { data } = parseAs(output, answer.done);
  return data !== undefined
    ? { done: data as never }
    : { refused: 'The device sent an answer that is not valid.' };
}
