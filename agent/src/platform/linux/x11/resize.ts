/** Switches an X11 screen to another size, where one monitor shows all of it and knows that size. */
import type x11 from 'x11';
import { NotPossible } from '../../platform.ts';
import type { Connection } from './connection.ts';
import { onlyCrtc, type Lit } from './layout.ts';

const now = 0;
const done_ = 0;
const unrotated = 1;
/** As if 96 dots made an inch. */
const millimetres = (pixels: number): number => Math.round((pixels * 25.4) / 96);

export async function resizeScreen(connection: Connection, width: number, height: number): Promise<void> {
  const randr = await connection.extension('randr');
  const lit = await onlyCrtc(connection, randr);
  if (!lit)
    throw new NotPossible(
      'The size of the screen can be changed only if the device has exactly one monitor.',
    );
  const known = lit.modes.find((each) => each.width === width && each.height === height);
  const mode = known ?? (await addMode(connection, randr, lit, { width, height }));
  if (!mode) throw new NotPossible(`The screen of the device cannot be set to ${width}×${height} pixels.`);
  if (lit.crtc.width === width && lit.crtc.height === height) return;
  await switchTo(connection, randr, lit, mode);
}

/** A screen without a monitor of glass takes any size up to its largest. */
async function addMode(
  { root, call }: Connection,
  randr: x11.Randr,
  { freely, crtc }: Lit,
  { width, height }: { width: number; height: number },
): Promise<x11.Mode | undefined> {
  if (!freely || width > freely.width || height > freely.height) return undefined;
  const name = `${width}x${height}`;
  const id = await call<number>((done) => randr.CreateMode(root, { width, height, name }, done));
  randr.AddOutputMode(crtc.output[0]!, id);
  return { id, width, height };
}

/** The screen must hold what the monitor shows at every moment: it is dark while both change. */
async function switchTo(connection: Connection, randr: x11.Randr, lit: Lit, mode: x11.Mode): Promise<void> {
  const { root, call } = connection;
  const configure = (id: number, outputs: readonly number[]): Promise<{ status: number }> =>
    call((done) =>
      randr.SetCrtcConfig(lit.id, now, lit.resources.config_timestamp, 0, 0, id, unrotated, outputs, done),
    );
  const { width, height } = lit.crtc;
  await configure(0, []);
  randr.SetScreenSize(root, mode.width, mode.height, millimetres(mode.width), millimetres(mode.height));
  const { status } = await configure(mode.id, lit.crtc.output);
  if (status === done_) return;
  randr.SetScreenSize(root, width, height, millimetres(width), millimetres(height));
  await configure(lit.crtc.mode, lit.crtc.output);
  throw new NotPossible('The display refused the new size.');
}
