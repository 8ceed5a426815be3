/** Tests how text and hardware reported by devices are cleaned and limited. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceText, reportedHardware } from './facts.ts';
import { emptyHardware } from '../empty-hardware.ts';
import { hardware } from '../hardware.ts';
import { startStopwatch } from '../../../tests/kit/stopwatch.ts';

test('control characters, line ends and bidirectional marks are removed, everything else stays', () => {
  const text = 'a\u0000\u001b[31m\u0085\u2028\u2029\u061c\u200e\u202eb\u2066 <é> 中 👩‍💻\t';

  assert.equal(deviceText(64).parse(text), 'a[31mb <é> 中 👩‍💻');
});

test('lone surrogates become the replacement character', () => {
  assert.equal(deviceText(64).parse('\ud83d x \ude00'), '\ufffd x \ufffd');
});

test('text that is too long is cut between characters, never within one', () => {
  const lengths = [1, 2, 3, 4, 5].map((max) => deviceText(max).parse('a😀😀'));

  assert.deepEqual(lengths, ['a', 'a', 'a😀', 'a😀', 'a😀😀']);
});

test('a very long text is cut quickly, whatever it contains', () => {
  using started = startStopwatch();
  for (const part of ['\u0000', '😀', '\ud83d', 'a'])
    assert.ok(deviceText(128).parse(part.repeat(1_000_000)).length <= 128);

  assert.ok(started.ms() < 1_000);
});

test('reported hardware has exactly the keys of the contract', () => {
  const parsed = reportedHardware.parse({ ...emptyHardware, Extra: 1 });

  assert.deepEqual(Object.keys(parsed), Object.keys(hardware.shape));
  const { CPU: _, ...lacking } = emptyHardware;
  assert.equal(reportedHardware.safeParse(lacking).success, false);
});

test('long lists are cut, and meaningless numbers are rejected', () => {
  const SoundDevices = Array.from({ length: 1_000 }, () => ({ Name: 'x' }));

  assert.equal(reportedHardware.parse({ ...emptyHardware, SoundDevices }).SoundDevices.length, 64);
  for (const CPUCores of [NaN, Infinity, 1e16, '4', null])
    assert.equal(reportedHardware.safeParse({ ...emptyHardware, CPUCores }).success, false);
});
