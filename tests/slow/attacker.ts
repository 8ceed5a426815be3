/** The attackers in a process of their own, so that honest clients do not wait for them: begins when told how, ends when told so. */
import { setPriority } from 'node:os';
import { attacks } from './attacks.ts';
import { gather } from './crowd.ts';
import type { Secrets } from './stage.ts';

export interface Order {
  name: string;
  count: number;
  secrets: Secrets;
}

/** Whoever measures beside them comes first. */
const patient = 10;

process.once('message', (order: Order) => {
  setPriority(patient);
  void gather(attacks[order.name]!, order.count, order.secrets).then((crowd) => {
    process.send!({ begun: crowd.begun });
    process.once('message', () => {
      crowd.leave();
      process.disconnect?.();
    });
  });
});
