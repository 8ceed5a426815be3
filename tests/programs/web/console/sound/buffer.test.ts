/** Tests how much sound is kept until it is played: without gaps if it arrives unevenly, and late only as long as it does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSoundBuffer } from '@drawbridge/web/console/sound/sound-buffer';

const [packetSamples, blockSamples] = [960, 120];
const blocksPerPacket = packetSamples / blockSamples;

/** A device that sends packets whose samples are all 1, and a page that plays them. Times are in packets of 20 ms. */
function openTrial() {
  const buffer = createSoundBuffer();
  let sent = 0;
  return {
    send(count: number): void {
      for (let index = 0; index < count; index += 1)
        buffer.add([new Float32Array(packetSamples).fill(1)], packetSamples * sent++);
    },
    /** The device is silent, and sends nothing. */
    pause(): void {
      sent += 10;
    },
    /** Plays for so long; returns how many milliseconds of it were sound. */
    play(packets: number): number {
      let heard = 0;
      for (let block = 0; block < packets * blocksPerPacket; block += 1) {
        const output = new Float32Array(blockSamples);
        buffer.play([output]);
        heard += output.filter((sample) => sample === 1).length;
      }
      return heard / 48;
    },
  };
}

type Trial = ReturnType<typeof openTrial>;

/** Packets arrive in bursts, as over a busy network; returns the milliseconds of sound in each burst's time. */
const playBursts = (trial: Trial, count: number, packets: number): number[] =>
  Array.from({ length: count }, () => {
    trial.send(packets);
    return trial.play(packets);
  });

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

  assert.ok(
    playBursts(trial, 20, 5).every((heard) => heard === 100),
    'no gap',
  );
});

test('the delay after gaps is limited', () => {
  const trial = openTrial();
  makeGaps(trial, 50);
  trial.send(500);

  assert.ok(drain(trial) <= 500);
});

test('sound beyond what is needed is dropped, the oldest first', () => {
  const trial = openTrial();
  trial.send(8);
  trial.send(1);

  assert.equal(drain(trial), 60);
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
  assert.equal(drain(trial), 60);
});

test('sound that arrived early once is dropped when it was not needed for ten seconds', () => {
  const trial = openTrial();
  trial.send(7);
  playBursts(trial, 600, 1);

  assert.equal(drain(trial), 40);
});
