/** Many connections that attack in one way, from many addresses: opened a few at a time, and watched until they are gone. */
import type { Attack } from './attacks.ts';
import { openLine, type Line } from './line.ts';
import type { AttackSecrets } from './fixture.ts';

export interface Crowd {
  /** How many were opened and have begun. */
  readonly begun: number;
  /** How many of them are still open. */
  readonly open: number;
  leave(): void;
}

/** Each of these addresses opens its share. */
const addresses = 20;
const atOnce = 32;
const dripMs = 1_000;

const fromOf = ({ from }: Attack, number: number): string => {
  if (from === 'one') return '127.0.1.1';
  return `127.0.${from === 'proxies' ? 2 : 1}.${1 + (number % addresses)}`;
};

/** Resolves when all of them have begun or were refused. */
export async function gather(attack: Attack, count: number, secrets: AttackSecrets): Promise<Crowd> {
  const lines = new Set<Line>();
  const port = attack.at === 'metrics' ? secrets.metricsPort : secrets.port;
  let [next, begun] = [attack.none ? count : 0, 0];

  async function one(number: number): Promise<void> {
    const line = await openLine(number, { port, from: fromOf(attack, number), tls: attack.tls });
    lines.add(line);
    line.socket.once('close', () => lines.delete(line));
    if (line.socket.destroyed) lines.delete(line);
    await attack.begin(line, secrets);
    begun += 1;
    if (attack.stopsReading) line.socket.pause();
  }
  async function work(): Promise<void> {
    // One that is refused is what the limits are for.
    while (next < count) await one(next++).catch(() => {});
  }
  const timer = attack.drip && setInterval(() => lines.forEach((line) => attack.drip!(line)), dripMs);
  await Promise.all(Array.from({ length: atOnce }, work));
  return {
    begun,
    get open() {
      return lines.size;
    },
    leave() {
      clearInterval(timer);
      for (const { socket } of lines) socket.destroy();
    },
  };
}
