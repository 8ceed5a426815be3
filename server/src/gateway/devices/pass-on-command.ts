/** Passes a command from the bus on to the device that is connected to this node. */
import { notMine } from '../../bus/bus.ts';
import type { Store } from '../../store/store.ts';
import type { BusAnswer } from './fleet.ts';
import { closeDevice, sendCommand, type CommandTrace, type UplinkConnection } from './uplink-connection.ts';

export interface CommandDeps {
  store: Store;
  traceCommand?: ((name: string) => CommandTrace | undefined) | undefined;
}

/**
 * Asks the store first whether this is still the connection of the device, and whether the device may receive commands:
 * it may have been approved since it connected.
 */
export async function passOnCommand(
  { store, traceCommand }: CommandDeps,
  connection: UplinkConnection,
  message: unknown,
): Promise<BusAnswer | typeof notMine> {
  const { name, input } = message as { name: string; input: unknown };
  const standings = await store.deviceIdentity.standings([connection.agentId]).catch(() => undefined);
  if (!standings) return { none: 'unreachable' };
  const [standing] = standings;
  if (standing && standing.epoch !== connection.epoch) {
    closeDevice(connection, 'replaced');
    return notMine;
  }
  connection.approved = standing?.approved ?? connection.approved;
  const answer = await sendCommand(connection, name, input, traceCommand?.(name));
  if (name === 'logout') closeDevice(connection, 'unlinked');
  return typeof answer === 'string' ? { none: answer } : answer;
}
