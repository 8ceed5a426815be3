/** The attackers in a process of their own, so that honest clients do not wait for them: begins when told how, ends when told so. */
import { setPriority } from 'node:os';
import { attacks } from './attacks.ts';
import { openAttackConnections } from './attack-connections.ts';
import type { AttackSecrets } from './fixture.ts';

export interface AttackOrder {
  name: string;
  count: number;
  secrets: AttackSecrets;
}

/** Whoever measures beside them comes first. */
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
