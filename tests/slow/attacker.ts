/** The attackers in a process of their own, so that honest clients do not wait for them: begins when told how, ends when told so. */
import { setPriority } from 'node:os';
import { attacks } from './attacks.ts';
import { gather } from './crowd.ts';
import type { AttackSecrets } from './fixture.ts';

export interface Order {
  name: string;
  count: number;
  secrets: AttackSecrets;
}

/** Whoever measures beside them comes first. */
const lowPriority = 10;

async function attack({ name, count, secrets }: Order): Promise<void> {
  setPriority(lowPriority);
  const crowd = await gather(attacks[name]!, count, secrets);
  process.send!({ begun: crowd.begun });
  process.once('message', () => {
    crowd.leave();
    process.disconnect?.();
  });
}

process.once('message', (order: Order) => void attack(order));
