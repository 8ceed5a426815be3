/** VP8 on Windows, under Wine: what vpx.dll encodes there, the libvpx of this machine decodes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ensureVpx, findVpx } from '../../../../scripts/agent-files/vpx-library.ts';
import { runOnWindows, skipWithoutWindows } from '../../../kit/agent/windows-program.ts';
import { startDisplay } from '../../../kit/display/display.ts';
import { createVp8Decoder } from '../../../kit/display/vp8-decoder.ts';
import { skipWithout } from '../../../kit/requirements.ts';

const arch = process.arch as 'x64' | 'arm64';
const skip = skipWithoutWindows() || skipWithout('libvpx') || skipWithout('clang for Windows');

test('frames that the agent encodes on Windows show the screen', { skip }, async () => {
  ensureVpx(arch);
  await using display = await startDisplay(800, 600);
  const program = 'tests/programs/agent/wine/video-program.ts';

  const output = await runOnWindows(program, display.name, {
    libraries: { 'vpx.dll': findVpx(arch)! },
  });

  const results = JSON.parse(/^RESULTS (.*)$/m.exec(output)![1]!) as { frames: string[]; corners: number[] };
  const decode = createVp8Decoder();
  const [key, next] = results.frames.map((frame) => decode(Buffer.from(frame, 'base64')));
  assert.deepEqual([key!.width, key!.height], [320, 192]);
  const isWhite = ({ brightness }: typeof key & object): boolean[] =>
    [brightness(80, 48), brightness(240, 48), brightness(80, 144)].map((value) => value > 200);
  assert.deepEqual(isWhite(key!), [true, false, true]);
  assert.deepEqual(isWhite(next!), [false, false, true]);
  assert.deepEqual(results.corners, [0xff_00_00_00, 0xff_00_00_00, 0xff_ff_ff_ff]);
});
