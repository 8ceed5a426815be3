/** Benchmark of the screen: the same display and content shown by VNC servers with noVNC and by Drawbridge, in one run. */
import { writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { openBrowser, type Browser } from '../../tests/kit/browser/browser.ts';
import { build } from '../kit/build.ts';
import { onQuietMachine } from '../kit/quiet.ts';
import { screenAimsTable } from './aims.ts';
import { openSimulatedLink, type SimulatedLink, type LinkSpeed } from './link.ts';
import { benchScreenSizes } from './marks.ts';
import { measureScreen } from './measure.ts';
import { desktopPeers, peers, variants, type Peer } from './peers.ts';
import { figuresTable, openingTable, leastDisturbed, ratiosTable, type ScreenResult } from './report.ts';
import { openBenchDisplay, type BenchDisplay } from './bench-display.ts';

const { values } = parseArgs({
  options: {
    content: { type: 'string', default: 'motion,scroll,type,still' },
    size: { type: 'string', default: '1080,720' },
    peer: { type: 'string', default: peers.map(({ name }) => name).join(',') },
    /** The desktops: x11, gnome, sway, wine. Only ours is measured on the last three. */
    device: { type: 'string', default: 'x11' },
    link: { type: 'string', default: 'local,slow' },
    seconds: { type: 'string', default: '4' },
    clicks: { type: 'string', default: '20' },
    /** Number of rounds; the round with the least other load counts. */
    rounds: { type: 'string', default: '1' },
    /** File for all figures, as JSON. */
    out: { type: 'string' },
  },
});

const linkSpeeds: Record<string, LinkSpeed> = {
  local: { megabits: 0, delayMs: 0 },
  slow: { megabits: 8, delayMs: 25 },
};

const chosen = (list: string): string[] => list.split(',').filter(Boolean);

const isInstalled = ({ needs }: Peer): boolean => spawnSync('which', [needs]).status === 0;

function findInstalledPeers(): Peer[] {
  const onX11 = [...peers, ...variants].filter(({ name }) => chosen(values.peer).includes(name));
  const wanted = chosen(values.device).flatMap((device) => {
    const found = device === 'x11' ? onX11 : desktopPeers[device];
    if (!found) throw new Error(`--device must be x11, gnome, sway or wine, not ${device}.`);
    return found;
  });
  for (const { name, needs } of wanted.filter((peer) => !isInstalled(peer)))
    console.log(`${name} is left out: ${needs} is not installed.`);
  return wanted.filter(isInstalled);
}

interface RoundOptions {
  browser: Browser;
  link: SimulatedLink;
  size: string;
  content: string;
  all: ScreenResult[];
}

/** Measures one peer on one display over every link. The slow link is measured only at the larger size, because nobody chooses a small screen for it. */
async function measurePeer(
  roundOptions: RoundOptions,
  peer: Peer,
  benchDisplay: BenchDisplay,
): Promise<void> {
  const { browser, link, size, content, all } = roundOptions;
  const links = chosen(values.link).filter(
    (name) => name === 'local' || (size === '1080' && content !== 'still'),
  );
  for (const name of links) {
    await using shown = await peer.show(benchDisplay);
    const title = `${size} ${content} ${name} ${peer.name}`;
    const clicks = content === 'still' ? 0 : Number(values.clicks);
    const seconds = Number(values.seconds) * (content === 'still' ? 2 : 1);
    const cell = { shown, size: benchScreenSizes[size]!, speed: linkSpeeds[name]!, seconds, clicks };
    try {
      const figures = await measureScreen(browser, link, cell);
      all.push({ size, content, link: name, peer: peer.name, figures });
      console.error(`${title}: ${figures.shown.toFixed(1)} a second, ${figures.p50.toFixed(0)} ms`);
    } catch (error) {
      console.error(`${title} failed: ${String(error)}`);
    }
  }
}

async function runRound(roundOptions: RoundOptions, installedPeers: readonly Peer[]): Promise<void> {
  const size = benchScreenSizes[roundOptions.size]!;
  const [sharing, others] = [true, false].map((isSharing) =>
    installedPeers.filter(({ display }) => isSharing === (display === undefined)),
  ) as [Peer[], Peer[]];
  if (sharing.length > 0) {
    await using benchDisplay = await openBenchDisplay(size, roundOptions.content);
    for (const peer of sharing) await measurePeer(roundOptions, peer, benchDisplay);
  }
  // The content of other displays would disturb them.
  for (const peer of others) {
    await using own = await peer.display!(size, roundOptions.content);
    await measurePeer(roundOptions, peer, own);
  }
}

async function main(): Promise<void> {
  await using link = await openSimulatedLink();
  // All requests of the browser to this machine pass the link; the device is not behind it.
  const flags = [`--host-resolver-rules=MAP localhost 127.0.0.1:${link.port}, EXCLUDE 127.0.0.1`];
  await using browser = await openBrowser({ wholeBrowser: true, flags });
  const all: ScreenResult[] = [];
  for (let number = 0; number < Number(values.rounds); number += 1)
    for (const size of chosen(values.size))
      for (const content of chosen(values.content))
        await runRound({ browser, link, size, content, all }, installedPeers);
  const best = leastDisturbed(all);
  const tables = [figuresTable, ratiosTable, openingTable, screenAimsTable].map((table) => table(best));
  console.log(`\n${tables.join('\n\n')}`);
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(all, undefined, 2)}\n`);
}

const installedPeers = findInstalledPeers();
if (installedPeers.some(({ name }) => name.startsWith('ours'))) build();
await onQuietMachine(main);
