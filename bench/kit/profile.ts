/** Reads a CPU profile that Node has written, and lists the functions that took the most time themselves. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toTextTable } from './table.ts';

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number };
}

interface CpuProfile {
  nodes: ProfileNode[];
  /** Microseconds of the machine's monotonic clock. */
  startTime: number;
  /** The node that ran, sample by sample. */
  samples: number[];
  timeDeltas: number[];
}

/** A time span in microseconds of the monotonic clock. */
export interface ProfiledSpan {
  from: number;
  to: number;
}

export const monotonicMicroseconds = (): number => Number(process.hrtime.bigint() / 1_000n);

/** The options of Node that write the profile of every thread to a folder when the process ends. */
export const profileOptions = (folder: string): string[] => ['--cpu-prof', `--cpu-prof-dir=${folder}`];

/** Reads the profile of the main thread, whose number is 0. */
function readProfile(folder: string): CpuProfile {
  const file = readdirSync(folder).find((name) => /\.0\.\d+\.cpuprofile$/.test(name));
  if (file === undefined) throw new Error('The server has written no profile.');
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
}

/** The source maps of the bundles in a profile, by the URL of the bundle. */
function readSourceMaps({ nodes }: CpuProfile): Map<string, SourceMap> {
  const urls = new Set(nodes.map(({ callFrame: { url } }) => url).filter((url) => url.startsWith('file:')));
  const files = [...urls].map((url) => ({ url, file: `${fileURLToPath(url)}.map` }));
  return new Map(
    files
      .filter(({ file }) => existsSync(file))
      .map(({ url, file }) => [url, new SourceMap(JSON.parse(readFileSync(file, 'utf8')))]),
  );
}

/** The name of a function with the file in which it is written. */
function nameOf({ callFrame }: ProfileNode, maps: ReadonlyMap<string, SourceMap>): string {
  const { functionName, url, lineNumber, columnNumber } = callFrame;
  if (url === '') return functionName || '(anonymous)';
  const entry = maps.get(url)?.findEntry(lineNumber, columnNumber);
  const place =
    entry && 'originalSource' in entry
      ? `${basename(entry.originalSource)}:${entry.originalLine + 1}`
      : url.replace(/^file:.*\//, '');
  return functionName === '' ? place : `${functionName}, ${place}`;
}

/** The microseconds that each function took itself in this span; while the thread waits, none does. */
function selfTimes(profile: CpuProfile, { from, to }: ProfiledSpan): Map<string, number> {
  const { nodes, samples, timeDeltas, startTime } = profile;
  const maps = readSourceMaps(profile);
  const names = new Map(nodes.map((node) => [node.id, nameOf(node, maps)]));
  const times = new Map<string, number>();
  let at = startTime;
  for (const [index, id] of samples.entries()) {
    const elapsed = timeDeltas[index]!;
    at += elapsed;
    const name = names.get(id)!;
    if (at < from || at > to || name === '(idle)') continue;
    times.set(name, (times.get(name) ?? 0) + elapsed);
  }
  return times;
}

/** The ten functions of the main thread that took the most time in this span, each with its share. */
export function topTen(folder: string, title: string, span: ProfiledSpan): string {
  const times = selfTimes(readProfile(folder), span);
  const total = times.values().reduce((sum, time) => sum + time, 0);
  const rows = [...times]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 10)
    .map(([name, time]) => [name, `${((time / total) * 100).toFixed(1)} %`]);
  return toTextTable([title, 'of the main thread'], rows);
}
