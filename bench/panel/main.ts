/** The benchmark of the panel: the list of devices in a real browser on a real server, beside a list drawn by plain DOM, in one run. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openBrowser } from '../../tests/kit/browser.ts';
import type { BrowserPage } from '../../tests/kit/browser-page.ts';
import { bringOnline } from '../kit/fleet.ts';
import { root, startMeasured } from '../kit/server.ts';
import { serveBare } from './bare-page.ts';
import { bare, ours } from './lists.ts';
import { measure, type Measured } from './measure.ts';
import { aims, comparison, type Result } from './report.ts';
import { seed, takeCookie, type Account } from './stage.ts';

const { values } = parseArgs({
  options: {
    /** The larger list; the smaller is a tenth of it. */
    devices: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
  },
});

/** The most devices that go off line. */
const mostOff = 1_000;

function build(): void {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.ts')], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The bundle could not be made.');
}

/** What the server answers, for the bare page to show the same. */
async function listingOf(url: string, enter: (page: BrowserPage) => Promise<void>): Promise<string> {
  await using browser = await openBrowser();
  const page = await browser.page();
  await enter(page);
  await page.goto(`${url}/panel/profile`);
  // Waited for here, as the browser ends with this function.
  return await page.evaluate(`fetch('/panel/api/devices').then((answer) => answer.text())`);
}

/** One in three was put on line, from the first on. */
const online = ({ fleet }: Account): number[] => fleet.agentIds.filter((_, index) => index % 3 === 0);

async function compare(account: Account, url: string, folder: string): Promise<Result[]> {
  const { devices } = account;
  const enter = (page: BrowserPage): Promise<void> => takeCookie(page, url, account.cookie);
  await using served = await serveBare(await listingOf(url, enter));
  const rounds: Record<Result['name'], Measured[]> = { ours: [], bare: [] };
  for (let round = 0; round < Number(values.rounds); round += 1) {
    await bringOnline(folder, [account.fleet]);
    const ids = online(account).slice(0, mostOff);
    for (const list of [ours(url, folder), bare(served.url, devices)])
      rounds[list.name].push(await measure({ list, enter, ids }));
    console.log(`${devices} devices, round ${round + 1}: load ${loadavg()[0]!.toFixed(1)}`);
  }
  return (['ours', 'bare'] as const).map((name) => ({ devices, name, rounds: rounds[name] }));
}

async function main(): Promise<void> {
  build();
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-bench-'));
  try {
    console.log(`${cpus()[0]!.model}, ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}.`);
    const devices = Number(values.devices);
    const accounts = await seed(folder, [Math.ceil(devices / 10), devices]);
    await using server = await startMeasured({ folder });
    const url = `https://localhost:${server.port}`;
    const results: Result[] = [];
    for (const account of accounts) results.push(...(await compare(account, url, folder)));
    console.log(`\n${comparison(results)}\n\n${aims(results)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
