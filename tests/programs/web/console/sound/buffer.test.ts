/** Tests how much sound is kept until it is played: without gaps if it arrives unevenly, and late only as long as it does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSoundBuffer } from '@drawbridge/web/console/sound/sound-buffer';

const packetSamples = 960;
/** Browsers play blocks of this length, which does not divide that of a packet. */
const blockSamples = 128;
const blockMs = blockSamples / 48;

/** A device that sends packets whose samples are their number, from 1, and a page that plays them. Times are in packets of 20 ms. */
function openTrial() {
  const buffer = createSoundBuffer();
  let [sent, due] = [0, 0];
  const playBlocks = (count: number): number[] =>
    Array.from({ length: count }, () => {
      const output = new Float32Array(blockSamples);
      buffer.play([output]);
      return [...output].filter((sample) => sample !== 0);
    }).flat();
  return {
    send(count: number): void {
      for (let index = 0; index < count; index += 1)
        buffer.add([new Float32Array(packetSamples).fill(sent + 1)], packetSamples * sent++);
    },
    /** The device is silent, and sends nothing. */
    pause(): void {
      sent += 10;
    },
    /** Plays for so long; returns how many milliseconds of it were sound. */
    play(packets: number): number {
      due += packets * packetSamples;
      const count = Math.floor(due / blockSamples);
      due -= count * blockSamples;
      return playBlocks(count).length / 48;
    },
    /** Returns the numbers of the packets that are heard. */
    playPackets: (blocks: number): number[] => [...new Set(playBlocks(blocks))],
    playBlocks: (blocks: number): number => playBlocks(blocks).length / 48,
  };
}

type Trial = ReturnType<typeof openTrial>;

/** Packets arrive in bursts, as over a busy network; returns the milliseconds of sound. */
function playBursts(trial: Trial, count: number, packets: number): number {
  let heard = 0;
  for (let burst = 0; burst < count; burst += 1) {
    trial.send(packets);
    heard += trial.play(packets);
  }
  return heard;
}

/** Sound that arrives too late, so often. */
function makeGaps(trial: Trial, count: number): void {
  for (let gap = 0; gap <= count; gap += 1) {
    trial.send(30);
    trial.play(100);
  }
}

/** How much is kept, in milliseconds. */
const drain = (trial: Trial): number => trial.play(1_000);

test('playing starts when 60 ms have arrived', () => {
  const trial = openTrial();
  trial.send(2);
  assert.equal(trial.play(2), 0);
  trial.send(1);
  assert.equal(trial.play(5), 60);
});

test('a sound of 20 ms is played, also after gaps', () => {
  const trial = openTrial();
  trial.send(1);
  assert.equal(trial.play(5), 20);
  makeGaps(trial, 20);
  trial.pause();
  trial.send(1);
  assert.equal(trial.play(30), 20);
});

test('after gaps so much is kept that sound which arrives in bursts has none', () => {
  const trial = openTrial();
  // Bursts of 100 ms: the first are played at once, and their end is waited for.
  trial.send(3);
  for (let burst = 0; burst < 3; burst += 1) {
    trial.play(6);
    trial.send(5);
  }

  const heard = playBursts(trial, 20, 5);
  assert.ok(Math.abs(heard - 2_000) < blockMs, `${heard} of 2000 ms`);
});

test('after a gap within a block more is waited for as well', () => {
  const trial = openTrial();
  trial.send(3);
  assert.equal(trial.playBlocks(23), 60);
  trial.send(3);
  assert.equal(trial.playBlocks(1), 0);
  trial.send(2);
  assert.equal(trial.playBlocks(38), 100);
});

test('sound that arrives just in time leaves no gap, and nothing waits longer after it', () => {
  const trial = openTrial();
  trial.send(4);
  assert.equal(trial.playBlocks(30), 80);
  trial.send(3);
  assert.equal(trial.playBlocks(24), 60);
  trial.pause();
  trial.send(3);
  assert.equal(trial.playBlocks(23), 60);
});

test('the delay after gaps is limited', () => {
  const trial = openTrial();
  makeGaps(trial, 10);
  trial.send(500);

  const kept = drain(trial);
  assert.ok(kept >= 400 && kept <= 500, `${kept} ms are kept`);
});

test('sound beyond what is needed is dropped, the oldest first', () => {
  const trial = openTrial();
  trial.send(8);
  trial.send(1);

  assert.deepEqual(trial.playPackets(100), [7, 8, 9]);
});

test('a pause of the device is no gap', () => {
  const trial = openTrial();
  for (let sound = 0; sound < 5; sound += 1) {
    trial.send(3);
    assert.equal(trial.play(10), 60);
    trial.pause();
  }
});

test('what was not needed for ten seconds is dropped, and playing starts early again', () => {
  const trial = openTrial();
  makeGaps(trial, 5);
  trial.send(20);
  playBursts(trial, 1_100, 1);

  const kept = drain(trial);
  trial.pause();
  trial.send(3);

  assert.ok(kept > 0 && kept <= 60, `${kept} ms are kept`);
  assert.equal(trial.play(5), 60);
});

test('short sounds are played early again when their pauses had ten seconds', () => {
  const trial = openTrial();
  makeGaps(trial, 20);
  const soundOf = (played: number): number => {
    trial.pause();
    trial.send(3);
    return trial.play(played);
  };
  for (let sound = 0; sound < 48; sound += 1) assert.equal(soundOf(30), 60);
  assert.equal(soundOf(5), 0, 'until then they wait');
  trial.play(30);

  assert.equal(soundOf(5), 60);
});

test('sound that arrived early once is dropped when it was not needed for ten seconds', () => {
  const trial = openTrial();
  trial.send(7);
  playBursts(trial, 600, 1);

  const kept = drain(trial);
  assert.ok(Math.abs(kept - 40) < blockMs, `${kept} ms are kept`);
});
