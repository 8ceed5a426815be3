/** Benchmark of the panel: the device list in a real browser on a real server, and a plain DOM list as baseline, in one run. */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openBrowser } from '../../tests/kit/browser/browser.ts';
import type { BrowserPage } from '../../tests/kit/browser/browser-page.ts';
import { setSessionCookie } from '../../tests/kit/browser/panel-browser.ts';
import { build } from '../kit/build.ts';
import { setOnline } from '../kit/fleet.ts';
import { onQuietMachine } from '../kit/quiet.ts';
import { startMeasuredServer } from '../kit/server.ts';
import { serveBare } from './bare-page.ts';
import { bareList, panelList } from './lists.ts';
import { measureList, type ListMeasurement } from './measure.ts';
import { panelGoals, compareLists, type ListResult } from './report.ts';
import { seedAccounts, type BenchAccount } from './seed.ts';

const { values } = parseArgs({
  options: {
    /** The larger list; the smaller is a tenth of it. */
    devices: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
  },
});

/** The maximum number of devices set offline. */
const mostOff = 1_000;

/** The server's response, which the baseline page shows too. */
async function listingOf(url: string, enter: (page: BrowserPage) => Promise<void>): Promise<string> {
  await using browser = await openBrowser({ wholeBrowser: true });
  const page = await browser.page();
  await enter(page);
  await page.goto(`${url}/panel/profile`);
  // Awaited here, because the browser is closed when this function returns.
  return await page.evaluate(`fetch('/panel/api/devices').then((answer) => answer.text())`);
}

/** Every third device is online, starting with the first. */
const online = ({ fleet }: BenchAccount): number[] => fleet.agentIds.filter((_, index) => index % 3 === 0);

async function compare(account: BenchAccount, url: string, folder: string): Promise<ListResult[]> {
  const { devices } = account;
  const enter = (page: BrowserPage): Promise<void> => setSessionCookie(page, url, account.cookie);
  await using served = await serveBare(await listingOf(url, enter));
  const rounds: Record<ListResult['name'], ListMeasurement[]> = { ours: [], bare: [] };
  for (let round = 0; round < Number(values.rounds); round += 1) {
    await setOnline(folder, [account.fleet]);
    const ids = online(account).slice(0, mostOff);
    for (const list of [panelList(url, folder), bareList(served.url, devices)])
      rounds[list.name].push(await measureList({ list, enter, ids }));
    console.log(`${devices} devices, round ${round + 1}: load ${loadavg()[0]!.toFixed(1)}`);
  }
  return (['ours', 'bare'] as const).map((name) => ({ devices, name, rounds: rounds[name] }));
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-bench-'));
  try {
    const devices = Number(values.devices);
    const accounts = await seedAccounts(folder, [Math.ceil(devices / 10), devices]);
    await using server = await startMeasuredServer({ folder });
    const url = `https://localhost:${server.port}`;
    const results: ListResult[] = [];
    for (const account of accounts) results.push(...(await compare(account, url, folder)));
    console.log(`\n${compareLists(results)}\n\n${panelGoals(results)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

build();
await onQuietMachine(main);
