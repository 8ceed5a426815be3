/** How many parts are made exact ahead of their acknowledgements, without a screen. */
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'node:test';
import type { Encoder } from './encoder.ts';
import { createRateController, type RateController } from './rate-controller.ts';
import { startScreenStreamer } from './screen-streamer.ts';

const nothing = { copies: [], tiles: [] };
const part = { copies: [], tiles: [{ x: 0, y: 0, image: Buffer.alloc(8) }] };

/** Returns how many parts leave before any of them is acknowledged. */
async function countAhead(rateController: RateController, refinesAhead: boolean): Promise<number> {
  const encoder: Encoder = {
    codec: 'tiles',
    take: async () => nothing,
    refineDueAt: () => 0,
    refinesAhead: () => refinesAhead,
    refine: async () => part,
    restart() {},
    configure() {},
    close() {},
  };
  let [number, sent] = [100, 0];
  const streamer = startScreenStreamer({
    capture: { damage: async () => [], grab: async () => [], onDamage() {}, onCursor() {}, close() {} },
    box: { x: 0, y: 0, width: 64, height: 64 },
    encoder,
    rateController,
    out: { send: () => void (sent += 1), buffered: () => 0, drained: async () => {} },
    number: () => (number += 1),
    clock: () => 1_000,
    onError: assert.fail,
  });
  await nextTurn();
  await streamer.stop();
  return sent;
}

/** Of a connection on which a frame was shown after so many milliseconds. */
function rateControllerAfter(ms: number): RateController {
  const rateController = createRateController();
  rateController.sent(1, 0);
  rateController.shown(1, ms);
  return rateController;
}

test('parts leave one by one, unless more may be in flight', async () => {
  assert.equal(await countAhead(rateControllerAfter(40), false), 1);
});

test('three parts leave ahead, also where the window has room for two frames, and two while no delay is known', async () => {
  assert.equal(await countAhead(rateControllerAfter(40), true), 3);
  assert.equal(await countAhead(rateControllerAfter(5), true), 3);
  assert.equal(await countAhead(createRateController(), true), 2);
});
