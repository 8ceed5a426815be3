/** Changes of the screen size on monitors that no virtual display offers: rotated ones, and ones that refuse a size. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type x11 from 'x11';
import type { X11Connection } from './connection.ts';
import { layoutOf } from './layout.ts';
import { resizeScreen } from './resize.ts';

const rotatedBy90 = 2;
const [wide, small] = [
  { id: 11, width: 1_920, height: 1_080 },
  { id: 12, width: 1_280, height: 720 },
];

/** The last parameters of SetCrtcConfig: mode, rotation, outputs and what is called with the answer. */
type CrtcChange = [number, number, readonly number[], x11.Done<{ status: number }>];

/** A rotated monitor with two modes; `refused` is the mode that it answers with an error. */
function rotatedMonitor(refused?: number) {
  const crtc: x11.Crtc = {
    x: 0,
    y: 0,
    width: wide.height,
    height: wide.width,
    mode: wide.id,
    rotation: rotatedBy90,
    output: [1],
  };
  const screen = { width: crtc.width, height: crtc.height };
  const randr = {
    major_version: 1,
    minor_version: 4,
    GetScreenResourcesCurrent: (_root, done) =>
      done(null, { timestamp: 0, config_timestamp: 0, crtcs: [5], outputs: [1], modeinfos: [wide, small] }),
    GetCrtcInfo: (_id, _time, done) => done(null, { ...crtc }),
    GetOutputInfo: (_id, _time, done) =>
      done(null, { crtc: 5, mm_width: 500, modes: [wide.id, small.id], name: 'DP-1' }),
    GetScreenSizeRange: (_root, done) =>
      done(null, { minWidth: 8, minHeight: 8, maxWidth: 8_192, maxHeight: 8_192 }),
    SetScreenSize: (_root, width, height) => void Object.assign(screen, { width, height }),
    SetCrtcConfig(...given) {
      const [mode, rotation, , done] = given.slice(5) as CrtcChange;
      if (mode === refused) return void done(new Error('BadMatch'), { status: 1 });
      const set = [wide, small].find(({ id }) => id === mode);
      Object.assign(crtc, { mode, rotation, width: set?.height ?? 0, height: set?.width ?? 0 });
      done(null, { status: 0 });
    },
  } as Partial<x11.Randr> as x11.Randr;
  const call = <Result>(send: (done: x11.Done<Result>) => void): Promise<Result> =>
    new Promise((resolve, reject) => send((error, result) => (error ? reject(error) : resolve(result))));
  const connection = {
    root: 1,
    call,
    extension: async () => randr,
    client: { GetGeometry: (_root: number, done: x11.Done<object>) => done(null, { ...screen }) },
  } as unknown as X11Connection;
  return { connection, crtc, screen };
}

test('a rotated monitor keeps its rotation, and its sizes are those that it shows', async () => {
  const { connection, crtc, screen } = rotatedMonitor();
  const { sizes } = await layoutOf(connection);

  await resizeScreen(connection, 720, 1_280);
  const changed = { ...screen, mode: crtc.mode, rotation: crtc.rotation };
  await resizeScreen(connection, 1_080, 1_920);

  assert.deepEqual(sizes, [
    { width: 1_080, height: 1_920 },
    { width: 720, height: 1_280 },
  ]);
  assert.deepEqual(changed, { width: 720, height: 1_280, mode: small.id, rotation: rotatedBy90 });
  assert.deepEqual(
    [screen, crtc.mode, crtc.rotation],
    [{ width: 1_080, height: 1_920 }, wide.id, rotatedBy90],
  );
});

test('a monitor that answers a change with an error is on again as before', async () => {
  const { connection, crtc, screen } = rotatedMonitor(small.id);

  await assert.rejects(resizeScreen(connection, 720, 1_280), /refused the new size/);

  assert.deepEqual(
    [screen, crtc.mode, crtc.rotation],
    [{ width: 1_080, height: 1_920 }, wide.id, rotatedBy90],
  );
});
