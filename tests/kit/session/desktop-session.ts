/** A session on the desktop that the agent in this process finds: what its screen shows, and what the operator does there. */
import type { Policy } from '@drawbridge/contract/policy';
import { encodePointer } from '@drawbridge/contract/session/binary-frames';
import type { Desktop } from '@drawbridge/agent/platform/desktop';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { takeScreenshot } from '@drawbridge/agent/platform/linux/screenshot';
import { clipboardFeature } from '@drawbridge/agent/session/features/clipboard';
import { controlFeature } from '@drawbridge/agent/session/features/control';
import { screenFeature } from '@drawbridge/agent/session/features/screen';
import { createFakePlatform } from '../agent/fake-platform.ts';
import { readPng } from '../display/png-reader.ts';
import type { Operator } from './operator.ts';
import { openSessionFixture, type SessionFixture } from './session-fixture.ts';

/** The colour of the button in the banner. */
export const stopRed = 0xdc2626;

/** The positions of a colour on a screen of this width, as pixel indices. */
export async function placesOf(colour: number, width: number): Promise<number[]> {
  const { pixels } = readPng((await takeScreenshot(width)).bytes);
  return [...pixels].flatMap((pixel, at) => ((pixel & 0xffffff) === colour ? [at] : []));
}

/** A place in a picture. */
export type Place = readonly [x: number, y: number];

export async function coloursAt(desktop: Desktop, ...places: readonly Place[]): Promise<number[]> {
  const capture = await desktop.capture();
  try {
    const pixels = await capture.grab(places.map(([x, y]) => ({ x, y, width: 1, height: 1 })));
    return pixels.map(({ words, offset }) => words[offset]! & 0xffffff);
  } finally {
    capture.close();
  }
}

export const openDesktopSession = (policy?: () => Policy): Promise<SessionFixture> =>
  openSessionFixture({
    ...(policy && { policy }),
    platform: createFakePlatform('desk', { desktop: openDesktop }),
    parts: [screenFeature, controlFeature, clipboardFeature],
  });

/** Sends one position with each of these states of the buttons. */
export const pointTo = (ann: Operator, x: number, y: number, ...buttons: readonly number[]): void =>
  buttons.forEach((each) => ann.send('pointer', encodePointer({ x, y, buttons: each })));
