/** Tests of the selection between video and JPEG, on a simulated clock. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCodecSelector, type CodecSelector } from './codec-selector.ts';
import { createRateController } from './rate-controller.ts';

type Codec = ReturnType<CodecSelector['codec']>;

/** What a frame costs: milliseconds to encode, and from sending to showing. */
type Cost = { encoding: number; delay: number };

interface Stream {
  selector: CodecSelector;
  /** Sends frames for so many seconds, one every 33 ms, and returns the codec of each. */
  run(seconds: number, costs: Record<Codec, Cost>): Codec[];
}

/** As long as VP8 may take. */
const slowMs = 14;

function startStream(can = { video: true, jpeg: true }): Stream {
  const rateController = createRateController();
  const selector = createCodecSelector(rateController, can);
  selector.use(can.video ? { slowMs } : undefined);
  let [number, now] = [0, 0];
  return {
    selector,
    run(seconds, costs) {
      const codecs: Codec[] = [];
      for (const end = now + seconds * 1_000; now < end; now += 33) {
        const codec = selector.codec();
        const { encoding, delay } = costs[codec];
        rateController.sent((number += 1), now);
        rateController.shown(number, now + delay);
        selector.encoded(encoding, now);
        codecs.push(codec);
      }
      return codecs;
    },
  };
}

const changes = (codecs: readonly Codec[]): number =>
  codecs.filter((codec, at) => at > 0 && codec !== codecs[at - 1]).length;

const slowVideo = { encoding: 40, delay: 30 };
const cheapJpeg = { encoding: 10, delay: 25 };

test('slow video is replaced by JPEG on a fast, calm connection, once', () => {
  const codecs = startStream().run(120, { video: slowVideo, jpeg: cheapJpeg });

  assert.deepEqual([codecs[0], codecs.at(-1), changes(codecs)], ['video', 'jpeg', 1]);
});

test('quick video stays selected, and so does video on a connection with a long delay', () => {
  const quick = startStream().run(60, { video: { encoding: 8, delay: 20 }, jpeg: cheapJpeg });
  const far = startStream().run(60, { video: { encoding: 40, delay: 80 }, jpeg: cheapJpeg });

  assert.deepEqual([changes(quick), quick[0], changes(far), far[0]], [0, 'video', 0, 'video']);
});

test('slow video is noticed even where there is no JPEG to replace it', () => {
  const stream = startStream({ video: true, jpeg: false });
  assert.equal(stream.selector.isVideoSlow(), false);

  stream.run(1, { video: slowVideo, jpeg: cheapJpeg });

  assert.deepEqual([stream.selector.isVideoSlow(), stream.selector.codec()], [true, 'video']);
});

test('JPEG is not kept if its frames are shown later than those of video, and is tried less and less often', () => {
  const stream = startStream();

  const codecs = stream.run(600, { video: slowVideo, jpeg: { encoding: 10, delay: 70 } });

  assert.equal(stream.selector.codec(), 'video');
  // Tried after 1, 21, 61, 141 and 301 seconds, for eight frames each.
  assert.equal(changes(codecs), 10);
  assert.equal(codecs.filter((codec) => codec === 'jpeg').length, 5 * 8);
});

test('a trial of JPEG ends at once when it congests the connection', () => {
  const codecs = startStream().run(10, { video: slowVideo, jpeg: { encoding: 10, delay: 200 } });

  assert.equal(changes(codecs), 2);
  assert.ok(codecs.filter((codec) => codec === 'jpeg').length <= 4);
});

test('JPEG is given up when it congests the connection, and not tried again at once', () => {
  const stream = startStream();
  stream.run(10, { video: slowVideo, jpeg: cheapJpeg });
  assert.equal(stream.selector.codec(), 'jpeg');

  const codecs = stream.run(15, { video: slowVideo, jpeg: { encoding: 10, delay: 400 } });

  assert.deepEqual([codecs[0], codecs.at(-1), changes(codecs)], ['jpeg', 'video', 1]);
});

test('costs that vary from frame to frame do not make it switch', () => {
  const stream = startStream();
  const codecs: Codec[] = [];
  for (let second = 0; second < 300; second += 1) {
    const noise = (second * 7) % 5;
    codecs.push(
      ...stream.run(1, {
        video: { encoding: 30 + 4 * noise, delay: 30 + 2 * noise },
        jpeg: { encoding: 8 + 2 * noise, delay: 24 + 4 * noise },
      }),
    );
  }

  assert.equal(changes(codecs), 1);
});

test('a codec that the device or the operator does not support is never selected', () => {
  const only = (can: { video: boolean; jpeg: boolean }): Codec[] => [
    ...new Set(startStream(can).run(30, { video: slowVideo, jpeg: cheapJpeg })),
  ];

  assert.deepEqual(only({ video: true, jpeg: false }), ['video']);
  assert.deepEqual(only({ video: false, jpeg: true }), ['jpeg']);
});
