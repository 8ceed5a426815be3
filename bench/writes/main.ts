/** Benchmark of durable writes: `support/create` through the API, compared with a bare loop of the same statements. */
import { parseArgs } from 'node:util';
import { build } from '../kit/build.ts';
import { onQuietMachine } from '../kit/quiet.ts';
import { formatNumber, toTextTable } from '../kit/table.ts';
import { startPostgres } from '../../tests/kit/server/postgres.ts';
import { measureWrites, writeAim, type WriteRound } from './measure.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '64' },
    /** Measures PostgreSQL instead of SQLite. */
    postgres: { type: 'boolean', default: false },
  },
});

const row = (name: string, { perSecond, cpuMicroseconds, groupSize }: WriteRound): string[] => [
  name,
  formatNumber(perSecond),
  formatNumber(cpuMicroseconds),
  groupSize.toFixed(0),
];

async function main(): Promise<void> {
  const postgres = values.postgres ? await startPostgres() : undefined;
  try {
    if (postgres) process.env['TEST_POSTGRES_URL'] = postgres.url;
    const { ours, bare } = await measureWrites({
      database: values.postgres ? 'postgres' : 'sqlite',
      rounds: Number(values.rounds),
      seconds: Number(values.seconds),
      connections: Number(values.connections),
    });
    const name = `support/create, durable, ${values.postgres ? 'PostgreSQL' : 'SQLite'}`;
    const head = [name, 'a second', 'CPU µs each', 'changes per commit'];
    console.log(`\n${toTextTable(head, [row('ours, over TLS', ours), row('bare loop', bare)])}`);
    const ratio = ours.perSecond / bare.perSecond;
    console.log(
      `\n${ratio.toFixed(2)} × of the bare loop; aim ≥ ${writeAim}: ${ratio >= writeAim ? 'reached' : 'missed'}.`,
    );
  } finally {
    await postgres?.stop();
  }
}

build();
await onQuietMachine(main);
