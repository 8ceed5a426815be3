/**
 * The attackers in a separate process, so that honest clients do not wait for them: starts and ends on
 * command.
 */
import { setPriority } from 'node:os';
import { attacks } from './attacks.ts';
import { openAttackConnections } from './attack-connections.ts';
import type { AttackSecrets } from './fixture.ts';

export interface AttackOrder {
  name: string;
  count: number;
  secrets: AttackSecrets;
}

/** The measuring process has priority. */
const lowPriority = 10;

async function attack({ name, count, secrets }: AttackOrder): Promise<void> {
  setPriority(lowPriority);
  const attackConnections = await openAttackConnections(attacks[name]!, count, secrets);
  process.send!({ begun: attackConnections.begun });
  process.once('message', () => {
    attackConnections.leave();
    process.disconnect?.();
  });
}

process.once('message', (order: AttackOrder) => void attack(order));
