/** The fuzz at length: `--requests 100000 --seed 7`. Prints what was found; the exit code says whether all was well. */
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
const requests = Number(values.requests);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));

console.log(`${requests} requests, seed ${seed}`);
const started = performance.now();
const onProgress = (sent: number, megabytes: number): void =>
  console.log(
    `${sent} sent, ${Math.round((performance.now() - started) / 1_000)} s, ${Math.round(megabytes)} MB`,
  );
const {
  wrong,
  codes,
  sent: sorts,
  slowestMs,
  healthy,
  polluted,
  grownMegabytes,
} = await fuzz({
  seed,
  requests,
  onProgress,
});

for (const each of wrong.slice(0, 100)) console.log(each);
console.log(`sent: ${JSON.stringify(sorts)}`);
console.log(`answers by code: ${JSON.stringify(codes)}`);
console.log(`slowest ${Math.round(slowestMs)} ms; memory grew by ${Math.round(grownMegabytes)} MB`);
console.log(
  `wrong: ${wrong.length}; still healthy: ${healthy}; on Object.prototype: ${JSON.stringify(polluted)}`,
);
process.exitCode = wrong.length === 0 && healthy && polluted.length === 0 ? 0 : 1;
