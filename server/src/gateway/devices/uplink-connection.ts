/** The connection of one device: its WebSocket, the commands that wait for an answer, and when it last sent something. */
import { uplinkCloseCodes } from '@drawbridge/contract/close-codes';
import { parseAs } from '@drawbridge/contract/parse';
import {
  commands,
  type Command,
  type CommandAnswer,
  type CommandName,
} from '@drawbridge/contract/uplink/commands';
import type { DownMessage } from '@drawbridge/contract/uplink/messages';
import { closeSocket } from '@drawbridge/relay/socket-server';
import type { WebSocket } from 'ws';
import type { NumberedPolicy } from '../../store/records.ts';
import type { UnansweredReason } from './fleet.ts';

export interface UplinkConnection {
  agentId: number;
  accountId: number;
  /** The public key of the device. */
  key: string;
  /** The version of the uplink that the device speaks. */
  version: number;
  approved: boolean;
  /** What the device received when it arrived. A device that has arrived elsewhere since has another. */
  epoch: string;
  /** The policy that was last sent over this connection. */
  policy: NumberedPolicy | undefined;
  address: string;
  lastReceivedAt: number;
  /** When the next ping is sent. */
  nextPingAt: number;
  socket: WebSocket;
  /** `deviceMs`: how long the device says that it took. */
  pendingCommands: Map<number, (answer: CommandAnswer | UnansweredReason, deviceMs?: number) => void>;
  /** The answers of commands that were just sent, by their ids. */
  sentCommands: Map<string, Promise<CommandAnswer | UnansweredReason>>;
  lastNumber: number;
}

/** The trace of a command. */
export interface CommandTrace {
  traceparent: string;
  end(isAnswered: boolean, deviceMs: number | undefined): void;
}

export const sendToDevice = (socket: WebSocket, message: DownMessage): void =>
  socket.send(JSON.stringify(message));

export function closeDevice(
  connection: UplinkConnection | undefined,
  why: keyof typeof uplinkCloseCodes,
): void {
  if (connection) closeSocket(connection.socket, uplinkCloseCodes[why]);
}

/** How long a device may take to answer a command. A device that is being unlinked is not waited for long. */
const answerTimeoutMs = (name: string): number => (name === 'logout' ? 2_000 : 9_000);

/** Sends a command to the device and waits for its answer. */
export function sendCommand(
  connection: UplinkConnection,
  name: string,
  input: unknown,
  trace?: CommandTrace,
): Promise<CommandAnswer | UnansweredReason> {
  if (!Object.hasOwn(commands, name) || commands[name as CommandName].since > connection.version)
    return Promise.resolve({ refused: 'The agent on the device is too old for this: update it.' });
  if (!connection.approved && name !== 'logout')
    return Promise.resolve({ refused: 'The device is waiting for approval.' });
  const { promise, resolve } = Promise.withResolvers<CommandAnswer | UnansweredReason>();
  const number = ++connection.lastNumber;
  const timer = setTimeout(() => resolveCommand(connection, number, 'silent'), answerTimeoutMs(name));
  connection.pendingCommands.set(number, (answer, deviceMs) => {
    clearTimeout(timer);
    trace?.end(typeof answer !== 'string', deviceMs);
    resolve(typeof answer === 'string' ? answer : checkAnswer(name as CommandName, answer));
  });
  sendToDevice(connection.socket, {
    kind: 'command',
    number,
    name,
    input,
    ...(trace && { trace: trace.traceparent }),
  });
  return promise;
}

/** Gives an answer to the caller that waits for it. */
export function resolveCommand(
  connection: UplinkConnection,
  number: number,
  answer: CommandAnswer | UnansweredReason,
  deviceMs?: number,
): void {
  const resolve = connection.pendingCommands.get(number);
  connection.pendingCommands.delete(number);
  resolve?.(answer, deviceMs);
}

/** An answer of the wrong shape counts as a refusal, because devices are not trusted. */
function checkAnswer(name: CommandName, answer: CommandAnswer): CommandAnswer {
  if ('refused' in answer) return answer;
  const { output }: Command = commands[name];
  const { data } = parseAs(output, answer.done);
  return data !== undefined
    ? { done: data as never }
    : { refused: 'The device sent an answer that is not valid.' };
}
