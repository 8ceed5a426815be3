/** Passes a command from the bus on to the device that is connected to this node. */
import type { CommandAnswer } from '@drawbridge/contract/uplink/commands';
import { notMine } from '../../bus/bus.ts';
import type { BusAnswer, CommandMessage, FleetStore, UnansweredReason } from './fleet.ts';
import { closeDevice, sendCommand, type CommandTrace, type UplinkConnection } from './uplink-connection.ts';

export interface CommandDeps {
  store: Pick<FleetStore, 'deviceIdentity'>;
  traceCommand?: ((name: string) => CommandTrace | undefined) | undefined;
}

/**
 * Asks the store first whether this is still the connection of the device, and whether the device may receive commands:
 * it may have been approved since it connected. A command for an earlier connection of the device is not passed on.
 */
export async function passOnCommand(
  { store, traceCommand }: CommandDeps,
  connection: UplinkConnection,
  message: unknown,
): Promise<BusAnswer | typeof notMine> {
  const { name, input, id, epoch = connection.epoch } = message as CommandMessage;
  const standings = await store.deviceIdentity.standings([connection.agentId]).catch(() => undefined);
  if (!standings) return { none: 'unreachable' };
  const [standing] = standings;
  if (standing && standing.epoch !== connection.epoch) {
    closeDevice(connection, 'replaced');
    return notMine;
  }
  if (epoch !== connection.epoch) return { none: 'unreachable', moved: true };
  connection.approved = standing?.approved ?? connection.approved;
  const send = (): Promise<CommandAnswer | UnansweredReason> =>
    sendCommand(connection, name, input, traceCommand?.(name));
  const answer = await (id === undefined ? send() : once(connection, id, send));
  if (name === 'logout') closeDevice(connection, 'unlinked');
  return typeof answer === 'string' ? { none: answer } : answer;
}

/** A caller repeats a command within half a second, if at all. */
const repeatedWithinMs = 2_000;

/** NATS does not prove that nobody has received a message, so the caller may repeat one that was: the answer is kept for a while. */
function once(
  { sentCommands }: UplinkConnection,
  id: string,
  send: () => Promise<CommandAnswer | UnansweredReason>,
): Promise<CommandAnswer | UnansweredReason> {
  const known = sentCommands.get(id);
  if (known) return known;
  const answer = send();
  sentCommands.set(id, answer);
  void answer.then(() => setTimeout(() => sentCommands.delete(id), repeatedWithinMs).unref());
  return answer;
}
