/** Benchmark of file transfer: how fast a file moves, its CPU time, and how much it delays input, through the relay and directly. */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build as bundle } from 'esbuild';
import { openBrowser, type Browser } from '../../tests/kit/browser/browser.ts';
import { aimsTable, type Aim } from '../kit/aims.ts';
import { build } from '../kit/build.ts';
import { onQuietMachine } from '../kit/quiet.ts';
import { toTextTable } from '../kit/table.ts';
import { startOurPeer } from '../screen/our-peer.ts';
import { childWith, processTreeSeconds } from '../screen/processes.ts';
import { loads, type RoundTrips } from './round-trips.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    transport: { type: 'string', default: 'relay,direct' },
  },
});

/** More than is moved within the measured time. */
const largeFileBytes = 512 * 1_024 * 1_024;

async function bundlePage(): Promise<string> {
  const { outputFiles } = await bundle({
    entryPoints: [join(import.meta.dirname, 'page.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    banner: { js: 'globalThis.__zod_globalConfig={jitless:true};' },
  });
  return outputFiles[0]!.text;
}

interface Measured {
  name: string;
  result: RoundTrips;
  /** CPU seconds of the agent, of the server and of the browser. */
  seconds: readonly number[];
}

async function measureTransport(browser: Browser, transport: string, script: string): Promise<Measured[]> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-files-'));
  try {
    writeFileSync(join(folder, 'large'), '');
    truncateSync(join(folder, 'large'), largeFileBytes);
    await using peer = await startOurPeer('', {
      server: { DRAWBRIDGE_DIRECT: String(transport === 'direct') },
      agent: { DRAWBRIDGE_AGENT_FILES: folder },
    });
    const page = await browser.page();
    await page.goto(peer.url);
    await page.evaluate(script);
    const code = new URL(peer.url).pathname.split('/')[2]!;
    await page.evaluate(`filesBench.open(${JSON.stringify(code)}, ${JSON.stringify(transport)})`);
    const measured: Measured[] = [];
    for (const load of loads) {
      const processes = [peer.agent, peer.between, childWith('--remote-debugging-pipe')];
      const before = processes.map(processTreeSeconds);
      const result = await page.evaluate<RoundTrips>(`filesBench.measure('${load}', ${values.seconds})`);
      const seconds = processes.map((pid, index) => processTreeSeconds(pid) - before[index]!);
      measured.push({ name: `${transport}, during ${load}`, result, seconds });
    }
    if (page.errors.length > 0) throw new Error(page.errors.join('\n'));
    await page.close();
    return measured;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const rowOf = ({ name, result, seconds }: Measured): string[] => [
  name,
  ...cellsOf(result),
  ...cpuCells(result, seconds),
];

/** `measured`: with nothing moving, then the transfers. */
const aimsOf = ([idle, ...transfers]: readonly Measured[]): Aim[] =>
  transfers.flatMap(({ name, result }) => [
    { what: name, is: 'at least', aim: 50, reached: result.megabytesPerSecond, unit: 'MB/s' },
    {
      what: `${name}, round trip of input`,
      is: 'at most',
      aim: 30,
      reached: result.median - idle!.result.median,
      unit: 'ms more',
    },
  ]);

const cellsOf = ({ median, p95, longest, megabytesPerSecond }: RoundTrips): string[] =>
  [median, p95, longest, megabytesPerSecond].map((value) => value.toFixed(1));

/** Milliseconds per megabyte, of each process. */
const cpuCells = ({ megabytes }: RoundTrips, seconds: readonly number[]): string[] =>
  seconds.map((each) => (megabytes > 0 ? ((each * 1_000) / megabytes).toFixed(1) : '–'));

build();
const script = await bundlePage();
await onQuietMachine(async () => {
  await using browser = await openBrowser({ wholeBrowser: true, networkEnabled: false });
  const rows: string[][] = [];
  const aims: Aim[] = [];
  for (const transport of values.transport.split(',')) {
    const measured = await measureTransport(browser, transport, script);
    rows.push(...measured.map(rowOf));
    aims.push(...aimsOf(measured));
  }
  const cpuTitles = ['agent', 'server', 'browser'].map((name) => `${name} CPU ms/MB`);
  const titles = ['round trip', 'median ms', '95 % ms', 'longest ms', 'MB/s', ...cpuTitles];
  console.log(`\n${toTextTable(titles, rows)}\n\n${aimsTable(aims)}`);
});
