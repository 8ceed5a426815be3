/** The benchmark of the screen: the same display and content shown by VNC servers with noVNC and by the project, in one run. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openBrowser, type Browser } from '../../tests/kit/browser.ts';
import { root } from '../kit/server.ts';
import { openLink, type Link, type Pace } from './link.ts';
import { sizes } from './marks.ts';
import { measure } from './measure.ts';
import { peers, type Peer } from './peers.ts';
import { figuresTable, openingTable, quietest, ratiosTable, type Measured } from './report.ts';
import { openStage, type Stage } from './stage.ts';

const { values } = parseArgs({
  options: {
    content: { type: 'string', default: 'motion,scroll,type,still' },
    size: { type: 'string', default: '1080,720' },
    peer: { type: 'string', default: peers.map(({ name }) => name).join(',') },
    link: { type: 'string', default: 'local,slow' },
    seconds: { type: 'string', default: '4' },
    clicks: { type: 'string', default: '20' },
    /** How often everything is measured; what counts is the time when the machine was quietest. */
    rounds: { type: 'string', default: '1' },
    /** Where to write all figures, as JSON. */
    out: { type: 'string' },
  },
});

const paces: Record<string, Pace> = {
  local: { megabits: 0, delayMs: 0 },
  slow: { megabits: 8, delayMs: 25 },
};

const chosen = (list: string): string[] => list.split(',').filter(Boolean);

const isInstalled = ({ needs }: Peer): boolean => spawnSync('which', [needs]).status === 0;

function invited(): Peer[] {
  const wanted = peers.filter(({ name }) => chosen(values.peer).includes(name));
  for (const { name, needs } of wanted.filter((peer) => !isInstalled(peer)))
    console.log(`${name} is left out: ${needs} is not installed.`);
  return wanted.filter(isInstalled);
}

interface Scene {
  browser: Browser;
  link: Link;
  size: string;
  content: string;
  all: Measured[];
}

/** One peer on one display, over every link; the slow one at the larger size only, as nobody chooses a small screen for it. */
async function look(scene: Scene, peer: Peer, stage: Stage): Promise<void> {
  const { browser, link, size, content, all } = scene;
  const links = chosen(values.link).filter(
    (name) => name === 'local' || (size === '1080' && content !== 'still'),
  );
  for (const name of links) {
    await using shown = await peer.show(stage);
    const title = `${size} ${content} ${name} ${peer.name}`;
    const clicks = content === 'still' ? 0 : Number(values.clicks);
    const seconds = Number(values.seconds) * (content === 'still' ? 2 : 1);
    const cell = { shown, size: sizes[size]!, pace: paces[name]!, seconds, clicks };
    try {
      const figures = await measure(browser, link, cell);
      all.push({ size, content, link: name, peer: peer.name, figures });
      console.error(`${title}: ${figures.shown.toFixed(1)} a second, ${figures.p50.toFixed(0)} ms`);
    } catch (error) {
      console.error(`${title} failed: ${String(error)}`);
    }
  }
}

async function round(scene: Scene, guests: readonly Peer[]): Promise<void> {
  const size = sizes[scene.size]!;
  await using stage = await openStage(size, scene.content);
  for (const peer of guests) {
    if (!peer.display) await look(scene, peer, stage);
    else {
      await using own = await peer.display(size, scene.content);
      await look(scene, peer, own);
    }
  }
}

async function main(): Promise<void> {
  const guests = invited();
  if (guests.some(({ name }) => name === 'ours')) {
    const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.ts')], { stdio: 'inherit' });
    if (status !== 0) throw new Error('The bundle could not be made.');
  }
  console.log(`${cpus()[0]!.model}, ${cpus().length} cores, Node ${process.versions.node}.`);
  await using link = await openLink();
  // Whatever the browser asks of this machine goes over the link; the device itself is not behind it.
  const flags = [`--host-resolver-rules=MAP localhost 127.0.0.1:${link.port}, EXCLUDE 127.0.0.1`];
  await using browser = await openBrowser({ flags });
  const all: Measured[] = [];
  for (let number = 0; number < Number(values.rounds); number += 1)
    for (const size of chosen(values.size))
      for (const content of chosen(values.content))
        await round({ browser, link, size, content, all }, guests);
  const best = quietest(all);
  console.log(`\n${figuresTable(best)}\n\n${ratiosTable(best)}\n\n${openingTable(best)}`);
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(all, undefined, 2)}\n`);
}

await main();
