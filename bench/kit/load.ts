/** Generates load from another process: with wrk if it is installed, otherwise with autocannon. */
import { execFile } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

export interface LoadTarget {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
}

export interface LoadOptions {
  connections: number;
  seconds: number;
}

export interface LoadResult {
  /** Requests with a 2xx or 3xx response. */
  requests: number;
  /** Other statuses, broken connections, timeouts. */
  failures: number;
  perSecond: number;
  /** 99th percentile of the latency in milliseconds. */
  p99Ms: number;
}

const run = promisify(execFile);

function isInstalled(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const wrk = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'wrk'))
  .find(isInstalled);

export const loadProgram = wrk === undefined ? 'autocannon' : 'wrk';

export const runLoad = (target: LoadTarget, how: LoadOptions): Promise<LoadResult> =>
  wrk === undefined ? byAutocannon(target, how) : byWrk(wrk, target, how);

/** A script tells wrk what to send and makes it print its totals as JSON. */
function script({ method, headers }: LoadTarget): string {
  const lines = Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = "${value}"`);
  return `wrk.method = "${method}"
${lines.join('\n')}
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('\\n{"answers":%d,"microseconds":%d,"codes":%d,"broken":%d,"p99":%f}\\n',
    summary.requests, summary.duration, e.status, e.connect + e.read + e.write + e.timeout, latency:percentile(99)))
end`;
}

async function byWrk(
  program: string,
  target: LoadTarget,
  { connections, seconds }: LoadOptions,
): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-load-'));
  try {
    const file = join(folder, 'load.lua');
    writeFileSync(file, script(target));
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', file, target.url];
    const { stdout } = await run(program, args);
    const sums = JSON.parse(stdout.trim().split('\n').at(-1)!) as Record<string, number>;
    const { answers = 0, microseconds = 1, codes = 0, broken = 0, p99 = 0 } = sums;
    const requests = answers - codes;
    return {
      requests,
      failures: codes + broken,
      perSecond: (requests / microseconds) * 1e6,
      p99Ms: p99 / 1_000,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function byAutocannon(target: LoadTarget, { connections, seconds }: LoadOptions): Promise<LoadResult> {
  const program = createRequire(import.meta.url).resolve('autocannon');
  const headers = Object.entries(target.headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const args = ['--json', '-c', String(connections), '-d', String(seconds), '-m', target.method, ...headers];
  const env = { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  const { stdout } = await run(process.execPath, [program, ...args, target.url], { env, maxBuffer: 1e8 });
  const result = JSON.parse(stdout) as {
    '2xx': number;
    '3xx': number;
    non2xx: number;
    errors: number;
    timeouts: number;
    duration: number;
    latency: { p99: number };
  };
  return {
    requests: result['2xx'] + result['3xx'],
    failures: result.non2xx - result['3xx'] + result.errors + result.timeouts,
    perSecond: (result['2xx'] + result['3xx']) / result.duration,
    p99Ms: result.latency.p99,
  };
}
