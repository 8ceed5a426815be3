/** Real Wayland desktops for measurements: the content is drawn on their XWayland, over the whole screen. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nobody } from '../../tests/kit/display/desktop-of-another-user.ts';
import { startGnome } from '../../tests/kit/display/gnome.ts';
import { startSway } from '../../tests/kit/display/sway.ts';
import { endProcess } from '../kit/process.ts';
import { drawContent, type BenchDisplay } from './bench-display.ts';
import type { BenchScreenSize } from './marks.ts';

export async function openGnomeDisplay(
  { width, height }: BenchScreenSize,
  content: string,
): Promise<BenchDisplay> {
  await using started = new AsyncDisposableStack();
  const gnome = started.use(await startGnome(width, height, '--unsafe-mode'));
  await gnome.beginWork();
  const { folder } = gnome;
  const [, display = ''] =
    /public X11 display (:\d+)/.exec(readFileSync(join(folder, 'gnome-shell.log'), 'utf8')) ?? [];
  const key = readdirSync(folder).find((name) => name.startsWith('.mutter-Xwaylandauth'))!;
  return await show(started, content, { DISPLAY: display, XAUTHORITY: join(folder, key) });
}

export async function openSwayDisplay(
  { width, height }: BenchScreenSize,
  content: string,
): Promise<BenchDisplay> {
  await using started = new AsyncDisposableStack();
  const sway = started.use(await startSway(width, height, 'force'));
  return await show(started, content, { DISPLAY: await sway.xwayland(), XAUTHORITY: '/dev/null' });
}

async function show(
  started: AsyncDisposableStack,
  content: string,
  env: Record<string, string>,
): Promise<BenchDisplay> {
  // The display of sway admits only its own user.
  const drawing = await drawContent(content, env, nobody);
  started.defer(() => endProcess(drawing));
  const all = started.move();
  return { display: '', [Symbol.asyncDispose]: () => all.disposeAsync() };
}
