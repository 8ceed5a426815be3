/**
 * Many connections with the same attack, from many addresses: opened a few at a time, and watched until they
 * are gone.
 */
import type { Attack } from './attacks.ts';
import { openAttackConnection, type AttackConnection } from './attack-connection.ts';
import type { AttackSecrets } from './fixture.ts';

export interface AttackConnections {
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

const sourceAddressOf = ({ from }: Attack, number: number): string => {
  if (from === 'one') return '127.0.1.1';
  return `127.0.${from === 'proxies' ? 2 : 1}.${1 + (number % addresses)}`;
};

/** Resolves when all of them have begun or were refused. */
export async function openAttackConnections(
  attack: Attack,
  count: number,
  secrets: AttackSecrets,
): Promise<AttackConnections> {
  const connections = new Set<AttackConnection>();
  const port = attack.at === 'metrics' ? secrets.metricsPort : secrets.port;
  let [next, begun] = [attack.none ? count : 0, 0];

  async function one(number: number): Promise<void> {
    const connection = await openAttackConnection(number, {
      port,
      from: sourceAddressOf(attack, number),
      tls: attack.tls,
    });
    connections.add(connection);
    connection.socket.once('close', () => connections.delete(connection));
    if (connection.socket.destroyed) connections.delete(connection);
    await attack.begin(connection, secrets);
    begun += 1;
    if (attack.stopsReading) connection.socket.pause();
  }
  async function work(): Promise<void> {
    // A refusal is what the limits are for.
    while (next < count) await one(next++).catch(() => {});
  }
  const timer =
    attack.drip && setInterval(() => connections.forEach((connection) => attack.drip!(connection)), dripMs);
  await Promise.all(Array.from({ length: atOnce }, work));
  return {
    begun,
    get open() {
      return connections.size;
    },
    leave() {
      clearInterval(timer);
      for (const { socket } of connections) socket.destroy();
    },
  };
}
