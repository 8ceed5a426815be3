/** The brightness of a display: 0 if it is blacked out. */
import type x11 from 'x11';
import type { TestDisplay } from './display.ts';

/** The highest brightness of the display, and a function that sets it. */
export async function setGamma({ connection }: TestDisplay, set?: number): Promise<number> {
  const { call, root } = connection;
  const randr = await connection.extension('randr');
  const { crtcs } = await call<x11.Resources>((done) => randr.GetScreenResourcesCurrent(root, done));
  const ramp = Array.from({ length: 256 }, (_, index) => (index * (set ?? 0)) / 255);
  if (set !== undefined) randr.SetCrtcGamma(crtcs[0]!, ramp, ramp, ramp);
  const { red } = await call<{ size: number; red: number[]; green: number[]; blue: number[] }>((done) =>
    randr.GetCrtcGamma(crtcs[0]!, done),
  );
  return Math.max(...red);
}
