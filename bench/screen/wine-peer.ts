/** Drawbridge on Windows under Wine, on the same display and content: its GDI shows the windows of other programs too. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWindowsFile } from '../../tests/kit/agent/single-file.ts';
import { openWine, type WineSystem } from '../../tests/kit/agent/wine.ts';
import { bundleForWindows, windowsRuntime } from '../../tests/kit/agent/windows-program.ts';
import { startOurPeer } from './our-peer.ts';
import type { StartedPeer } from './started-peer.ts';

async function showClickBlock(windows: WineSystem, folder: string, display: string): Promise<void> {
  const bundle = join(folder, 'click-block.cjs');
  await bundleForWindows('bench/screen/click-block-program.ts', bundle);
  await windows.start(windowsRuntime, [bundle], { DISPLAY: display }).until(/The block is shown/);
}

export async function startWinePeer(display: string): Promise<StartedPeer> {
  await using started = new AsyncDisposableStack();
  const program = await buildWindowsFile();
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-bench-windows-'));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const windows = started.use(openWine());
  await showClickBlock(windows, folder, display);
  const startAgent = (args: readonly string[]) => {
    const agent = windows.start(program, args, { DISPLAY: display });
    // Its output is open for as long as anything runs in this system.
    const end = async (): Promise<void> => (windows.turnOff(), void (await agent.gone));
    return { pid: agent.pid, [Symbol.asyncDispose]: end };
  };
  const peer = started.use(await startOurPeer(display, { startAgent }));
  const all = started.move();
  return { ...peer, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
