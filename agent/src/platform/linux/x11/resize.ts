/** Changes the size of an X11 screen if exactly one monitor shows it and supports the size. */
import type x11 from 'x11';
import { NotPossible } from '../../platform.ts';
import type { X11Connection } from './connection.ts';
import { rotated, singleCrtc, type ActiveCrtc } from './layout.ts';

const now = 0;
const statusSuccess = 0;
/** Assumes 96 dpi. */
const millimetres = (pixels: number): number => Math.round((pixels * 25.4) / 96);

export async function resizeScreen(connection: X11Connection, width: number, height: number): Promise<void> {
  const randr = await connection.extension('randr');
  const active = await singleCrtc(connection, randr);
  if (!active)
    throw new NotPossible(
      'The size of the screen can be changed only if the device has exactly one monitor.',
    );
  const known = active.modes.find((each) => each.width === width && each.height === height);
  const mode = known ?? (await addMode(connection, randr, active, { width, height }));
  if (!mode) throw new NotPossible(`The screen of the device cannot be set to ${width}×${height} pixels.`);
  if (active.crtc.width === width && active.crtc.height === height) return;
  await switchTo(connection, randr, active, mode);
}

/** Adds a mode to a virtual screen, which supports any size up to its maximum. */
async function addMode(
  { root, call }: X11Connection,
  randr: x11.Randr,
  { maxVirtualSize, crtc }: ActiveCrtc,
  { width, height }: { width: number; height: number },
): Promise<x11.Mode | undefined> {
  if (!maxVirtualSize || width > maxVirtualSize.width || height > maxVirtualSize.height) return undefined;
  const mode = rotated({ width, height }, crtc);
  const name = `${mode.width}x${mode.height}`;
  const id = await call<number>((done) => randr.CreateMode(root, { ...mode, name }, done));
  randr.AddOutputMode(crtc.output[0]!, id);
  return { id, width, height };
}

/** Disables the monitor during the change, because the screen must always be at least as large as the monitor. */
async function switchTo(
  connection: X11Connection,
  randr: x11.Randr,
  active: ActiveCrtc,
  mode: x11.Mode,
): Promise<void> {
  const { root, call } = connection;
  const configure = (id: number, outputs: readonly number[]): Promise<boolean> =>
    call<{ status: number }>((done) =>
      randr.SetCrtcConfig(
        active.id,
        now,
        active.resources.config_timestamp,
        0,
        0,
        id,
        active.crtc.rotation,
        outputs,
        done,
      ),
    ).then(
      ({ status }) => status === statusSuccess,
      () => false,
    );
  const { width, height } = active.crtc;
  await configure(0, []);
  randr.SetScreenSize(root, mode.width, mode.height, millimetres(mode.width), millimetres(mode.height));
  if (await configure(mode.id, active.crtc.output)) return;
  randr.SetScreenSize(root, width, height, millimetres(width), millimetres(height));
  await configure(active.crtc.mode, active.crtc.output);
  throw new NotPossible('The display refused the new size.');
}
