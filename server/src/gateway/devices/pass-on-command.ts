/** Passes a command from the bus on to the device that is connected to this node. */
import { notMine } from '../../bus/bus.ts';
import type { BusAnswer, CommandMessage, FleetStore } from './fleet.ts';
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
  const { name, input, epoch = connection.epoch } = message as CommandMessage;
  const standings = await store.deviceIdentity.standings([connection.agentId]).catch(() => undefined);
  if (!standings) return { none: 'unreachable' };
  const [standing] = standings;
  if (standing && standing.epoch !== connection.epoch) {
    closeDevice(connection, 'replaced');
    return notMine;
  }
  if (epoch !== connection.epoch) return { none: 'unreachable' };
  connection.approved = standing?.approved ?? connection.approved;
  const answer = await sendCommand(connection, name, input, traceCommand?.(name));
  if (name === 'logout') closeDevice(connection, 'unlinked');
  return typeof answer === 'string' ? { none: answer } : answer;
}
