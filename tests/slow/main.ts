/**
 * A thousand slow connections of every kind: `--connections 1000 --only "relay|metrics"`. Prints a line for
 * each attack; the exit code says whether all was well.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { attacks } from './attacks.ts';
import { runAttack, type AttackResult } from './run.ts';
import { openAttackFixture } from './fixture.ts';

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
  },
});
const connections = Number(values.connections);
const chosen = Object.entries(attacks).filter(([name]) => new RegExp(values.only).test(name));
/** What honest clients may notice of an attack, and what it may cost. */
const [mostP99, mostMegabytes] = [500, 300];

const isWell = ({ p99, errors, left, grownMegabytes, freed }: AttackResult, ends: boolean): boolean =>
  p99 < mostP99 && errors.length === 0 && freed && grownMegabytes < mostMegabytes && !(ends && left > 0);

const load = (): string => loadavg()[0]!.toFixed(1);

const columns =
  'attack | begun | held | left | honest p50 | p99 (kind) | errors of samples | memory | freed | load';
console.log(`| ${columns} |\n|${'---|'.repeat(columns.split('|').length)}`);
await using fixture = await openAttackFixture(connections + 20);
let bad = 0;
for (const [name, attack] of chosen) {
  const found = await runAttack(fixture, [name, attack], connections);
  const { begun, held, left, p50, p99, slowest, samples, errors, grownMegabytes, freed } = found;
  const times = `${p50.toFixed(1)} ms | ${p99.toFixed(0)} ms (${slowest})`;
  const counts = `${errors.length} of ${samples + errors.length} | +${Math.max(0, grownMegabytes).toFixed(0)} MB`;
  const isFine = isWell(found, attack.endsWithin !== undefined);
  console.log(
    `| ${isFine ? '' : '**!** '}${name} | ${begun} | ${held} | ${left} | ${times} | ${counts} | ${freed ? 'yes' : 'NO'} | ${load()} |`,
  );
  for (const error of new Set(errors)) console.log(`  ${error}`);
  if (!isFine) bad += 1;
}
console.log(`${chosen.length} attacks with ${connections} connections each; not well: ${bad}`);
process.exitCode = bad === 0 ? 0 : 1;
