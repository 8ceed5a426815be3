/** The devices, as handlers see them. The bus finds the process that holds a device's WebSocket. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { parseAs } from '@drawbridge/contract/parse';
import {
  commands,
  refusal,
  type Command,
  type CommandAnswer,
  type CommandInput,
  type CommandName,
} from '@drawbridge/contract/uplink/commands';
import { busTimeout, nodeUnreachable, noResponder, type Bus } from '../../bus/bus.ts';
import { isOnline } from '../../domain/devices/agents.ts';
import type { Store } from '../../store/store.ts';

/**
 * Why there is no answer: the device is not connected, it did not answer in time and may still run the command, or the
 * node that holds its connection cannot be reached or cannot send it the command.
 */
const reasons = ['offline', 'silent', 'unreachable'] as const;
export type UnansweredReason = (typeof reasons)[number];

/** What of the store the fleet needs. */
export interface FleetStore extends Pick<Store, 'now' | 'isExclusive'> {
  deviceIdentity: Pick<Store['deviceIdentity'], 'standings'>;
}

export interface Fleet {
  /** Resolves to the device's answer. An invalid answer counts as none. */
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

export interface CommandMessage {
  name: string;
  input: unknown;
  /** The same when it is sent again: it is carried out once. Absent in messages of older nodes. */
  id?: string;
  /**
   * The epoch of the connection that the command is for, so that one that was recorded on NATS cannot be sent again when
   * the device has arrived at another node. Absent if the device was just unlinked, and in messages of older nodes.
   */
  epoch?: string | undefined;
}

/**
 * What a gateway answers for a device: the device's answer, or why there is none. `moved`: the device has another connection than
 * the one that the command is for.
 */
export type BusAnswer = CommandAnswer | { none: UnansweredReason; moved?: true };

/**
 * The pauses before a device is asked again that nobody answers for, or that has just moved, although its lease lives: it may
 * have arrived at a node of which the bus does not know yet.
 */
const retryPausesMs = [100, 400];

type Unanswered = UnansweredReason | 'not found';

export const createBusFleet = (
  bus: Bus,
  store: FleetStore,
  pause: (ms: number) => Promise<unknown> = wait,
): Fleet => ({
  async command(agentId, name, input) {
    const until = performance.now() + commandTimeoutMs;
    const asked = { name, input, id: randomUUID(), until };
    for (const pauseMs of [...retryPausesMs, undefined]) {
      const answer = await askOnce(bus, store, agentId, asked);
      if (answer !== 'not found') return answer;
      if (pauseMs !== undefined) await pause(pauseMs);
    }
    return 'unreachable';
  },
});

interface Asked<Name extends CommandName> {
  name: Name;
  input: CommandInput<Name>;
  id: string;
  /** As a time of `performance.now`. */
  until: number;
}

/** `not found`: no node is known to have passed on the command, although one may hold the device. */
async function askOnce<Name extends CommandName>(
  bus: Bus,
  { deviceIdentity, now, isExclusive }: FleetStore,
  agentId: number,
  { until, ...asked }: Asked<Name>,
): Promise<CommandAnswer<Name> | Unanswered> {
  // Without the store nobody can be asked. Some callers do not await the result, so it must not reject.
  const standings = await deviceIdentity.standings([agentId]).catch(() => undefined);
  if (!standings) return 'unreachable';
  const message: CommandMessage = { ...asked, epoch: standings[0]?.epoch };
  const answer = await bus.request(commandSubject(agentId), message, until - performance.now());
  if (answer === nodeUnreachable) return 'unreachable';
  // A responder that failed may have passed on the command before.
  if (answer === busTimeout || answer === undefined) return 'silent';
  if (answer !== noResponder)
    return (answer as { moved?: unknown }).moved === true
      ? 'not found'
      : parseAnswer(asked.name, answer as BusAnswer);
  // Another node that holds it may have been killed, or be about to reconnect to NATS.
  const mayBeElsewhere = !isExclusive && standings.some((standing) => isOnline(standing, now()));
  return mayBeElsewhere ? 'not found' : 'offline';
}

/** An invalid answer, perhaps from another version of this program, counts as none. */
function parseAnswer<Name extends CommandName>(
  name: Name,
  answer: BusAnswer,
): CommandAnswer<Name> | UnansweredReason {
  const none = reasons.find((reason) => reason === (answer as { none?: unknown }).none);
  if (none) return none;
  const refused = parseAs(refusal, answer).data;
  if (refused) return refused;
  const { output }: Command = commands[name];
  const { data: done } = parseAs(output, (answer as { done?: unknown }).done);
  return done === undefined ? 'silent' : ({ done } as CommandAnswer<Name>);
}
