/**
 * The long fuzz: `--requests 100000 --seed 7`. Prints what was found, also when interrupted; the exit code
 * says whether all was well.
 */
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
const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort());
const { signal } = interrupted;
const found = await fuzz({ seed, requests, onProgress, signal });

const { codes, sent, entered, slowestMs, healthy, polluted, grownMegabytes, endMegabytes } = found;
const wrong = [...found.wrong, ...found.slow, ...found.timedOut];
for (const each of wrong.slice(0, 100)) console.log(each);
/** What was requested and what was wrong, without what differs each time. */
const kindOf = (each: string): string =>
  each
    .replace(/^[^(:]*/, '')
    .replaceAll(/\?[^ )]*|\d+/g, '')
    .slice(0, 120);
const kinds = Object.groupBy(wrong, kindOf);
for (const [kind, all = []] of Object.entries(kinds)) console.log(`${all.length} times: ${kind}`);
const total = Object.values(sent).reduce((sum, count) => sum + count, 0);
console.log(`sent: ${total}, of which ${JSON.stringify(sent)}; devices let in: ${entered}`);
console.log(`answers by code: ${JSON.stringify(codes)}`);
console.log(
  `slowest ${Math.round(slowestMs)} ms; memory grew by ${Math.round(grownMegabytes)} MB to ${Math.round(endMegabytes)} MB`,
);
console.log(
  `wrong: ${wrong.length}; still healthy: ${healthy}; on Object.prototype: ${JSON.stringify(polluted)}`,
);
process.exitCode = wrong.length === 0 && healthy && polluted.length === 0 ? 0 : 1;
