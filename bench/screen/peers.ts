/** The compared peers: VNC servers with noVNC, and Drawbridge. Each serves its display at an address of this machine. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { chooseMenuItem } from '../../tests/kit/display/desktop-fixture.ts';
import { skipWithout } from '../../tests/kit/requirements.ts';
import { findFreePort } from '../kit/server.ts';
import { endProcess } from '../kit/process.ts';
import type { BenchScreenSize } from './marks.ts';
import { startOurPeer } from './our-peer.ts';
import { openBenchDisplay, startProcess, waitUntilReady, type BenchDisplay } from './bench-display.ts';
import { openGnomeDisplay, openSwayDisplay } from './desktop-display.ts';
import type { StartedPeer } from './started-peer.ts';
import { startWinePeer } from './wine-peer.ts';

export interface Peer {
  name: string;
  /** The program that must be installed. */
  needs: string;
  /** Its own display, if it cannot show any other. */
  display?(size: BenchScreenSize, content: string): Promise<BenchDisplay>;
  show(benchDisplay: BenchDisplay): Promise<StartedPeer>;
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const answer = (isOpen: boolean) => (): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', answer(true)).once('error', answer(false));
  });

/** A VNC server with noVNC in front. */
async function startNoVnc(agent: number, vncPort: number, stop: () => Promise<void>): Promise<StartedPeer> {
  await waitUntilReady(() => accepts(vncPort), 'The VNC server');
  const pipe = fork(join(import.meta.dirname, 'pipe.ts'), [String(vncPort)]);
  const [port] = (await once(pipe, 'message')) as [number];
  return {
    url: `http://localhost:${port}/`,
    port,
    agent,
    between: pipe.pid!,
    connect: async (page) => void (await page.until(`document.querySelector('body.live canvas')`)),
    leave: async () => {},
    async [Symbol.asyncDispose]() {
      await endProcess(pipe);
      await stop();
    },
  };
}

const scraper = (name: string, program: string, args: (display: string, port: number) => string[]): Peer => ({
  name,
  needs: program,
  async show({ display }) {
    const port = await findFreePort();
    const child = startProcess(program, args(display, port));
    return startNoVnc(child.pid!, port, () => endProcess(child, 'SIGKILL'));
  },
});

const at = (display: string, port: number): string[] => ['-display', display, '-rfbport', String(port)];

const x11vnc = scraper('x11vnc', 'x11vnc', (display, port) => [
  '-localhost',
  '-nopw',
  '-forever',
  '-shared',
  '-quiet',
  '-norc',
  ...at(display, port),
]);

const x0vncserver = scraper('x0vncserver', 'X0tigervnc', (display, port) => [
  '-localhost',
  '-SecurityTypes',
  'None',
  '-AlwaysShared',
  ...at(display, port),
]);

/** Display and VNC server in one program. */
const vncServers = new WeakMap<BenchDisplay, { pid: number; port: number }>();
const xtigervnc: Peer = {
  name: 'Xtigervnc',
  needs: 'Xtigervnc',
  async display(size, content) {
    const port = await findFreePort();
    const args = [
      '-depth',
      '24',
      '-rfbport',
      String(port),
      '-localhost',
      '-SecurityTypes',
      'None',
      '-AlwaysShared',
    ];
    const benchDisplay = await openBenchDisplay(size, content, ['Xtigervnc', ...args]);
    vncServers.set(benchDisplay, { pid: benchDisplay.pid, port });
    return benchDisplay;
  },
  show(benchDisplay) {
    const { pid, port } = vncServers.get(benchDisplay)!;
    return startNoVnc(pid, port, async () => {});
  },
};

const ours: Peer = { name: 'ours', needs: process.execPath, show: ({ display }) => startOurPeer(display) };

/** In the quality that never sends half size. */
const oursSharp: Peer = {
  name: 'ours sharp',
  needs: process.execPath,
  async show({ display }) {
    const started = await startOurPeer(display);
    return {
      ...started,
      async connect(page) {
        await started.connect(page);
        await chooseMenuItem(page, 'View', 'Sharp');
      },
    };
  },
};

/** On a real Wayland desktop, or as a Windows program, by the name of the device. Needs root. */
export const desktopPeers: Readonly<Record<string, Peer>> = {
  gnome: { ...ours, name: 'ours on GNOME', display: openGnomeDisplay },
  sway: { ...ours, name: 'ours on sway', needs: 'sway', display: openSwayDisplay },
  wine: {
    name: 'ours on Wine',
    needs: skipWithout('Wine') === false ? process.execPath : 'Wine of scripts/test-machine',
    show: ({ display }) => startWinePeer(display),
  },
};

/** With a browser that does not decode H.264. */
const oursVp8: Peer = {
  name: 'ours VP8',
  needs: process.execPath,
  show: async ({ display }) => ({ ...(await startOurPeer(display)), script: withoutH264 }),
};

const withoutH264 = `{
  const { isConfigSupported } = VideoDecoder;
  VideoDecoder.isConfigSupported = async (config) =>
    config.codec.startsWith('avc1') ? { supported: false } : isConfigSupported(config);
}`;

export const peers: readonly Peer[] = [x11vnc, x0vncserver, xtigervnc, ours];
/** Ours in other circumstances, measured only if they are named. */
export const variants: readonly Peer[] = [oursSharp, oursVp8];
