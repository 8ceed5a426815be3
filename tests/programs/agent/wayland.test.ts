/** A real Wayland desktop, seen and used through its VNC server, with the agent's windows on it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeKey, encodePointer } from '@drawbridge/contract/session/binary-frames';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { takeScreenshot } from '@drawbridge/agent/platform/linux/screenshot';
import { controlFeature } from '@drawbridge/agent/session/features/control';
import { screenFeature } from '@drawbridge/agent/session/features/screen';
import { skipWithout } from '../../kit/requirements.ts';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';
import { readPng } from '../../kit/display/png-reader.ts';
import { eventually } from '../../kit/eventually.ts';
import { openSessionFixture } from '../../kit/session/session-fixture.ts';
import { startWayland, terminalColour } from '../../kit/display/wayland.ts';

const skip = skipWithout('Wayland');
const [width, height] = [1_000, 600];
const stopRed = 0xdc2626;

/** The positions of a colour on the screen, as pixel indices. */
async function placesOf(colour: number): Promise<number[]> {
  const { pixels } = readPng((await takeScreenshot(width)).bytes);
  return [...pixels].flatMap((pixel, at) => ((pixel & 0xffffff) === colour ? [at] : []));
}

test(
  'the operator sees the Wayland desktop, types there beside the banner, and Stop on it ends the session',
  { skip },
  async () => {
    await using wayland = await startWayland(width, height);
    await using fixture = await openSessionFixture({
      platform: createFakePlatform('desk', { desktop: openDesktop }),
      parts: [screenFeature, controlFeature],
    });
    await using ann = fixture.meet();
    const layout = await ann.until('layout');
    const button = await eventually(
      () => placesOf(stopRed),
      (places) => places.length > 500,
    );
    const terminal = await placesOf(terminalColour);
    const click = (at: number): void => {
      const place = { x: at % width, y: Math.floor(at / width) };
      for (const buttons of [0, 1, 0]) ann.send('pointer', encodePointer({ ...place, buttons }));
    };

    click(terminal.at(-1)!);
    for (const [code, key] of [
      ['KeyH', 'h'],
      ['KeyI', 'I'],
      ['Digit1', '!'],
      ['Enter', 'Enter'],
    ] as const)
      for (const down of [true, false]) ann.send('key', encodeKey({ down, code, key }));
    await eventually(wayland.typed, (typed) => typed !== '');
    click(button[0]! + width + 1);
    const end = await ann.until('end');

    assert.deepEqual([layout.width, layout.height], [width, height]);
    assert.ok(terminal.length > 0.8 * width * height, `${terminal.length} pixels are the terminal's`);
    assert.equal(wayland.typed(), 'hI!\n');
    assert.equal(end.message, 'The person at the device ended the session.');
  },
);
