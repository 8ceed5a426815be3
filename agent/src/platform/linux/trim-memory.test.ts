/** Tests of which memory may be released: only what the system can read again from a file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileMappings } from './trim-memory.ts';

const entry = (line: string, anonymous = 0): string => `${line}
Size:               4280 kB
Rss:                4280 kB
Anonymous:       ${String(anonymous).padStart(8)} kB
VmFlags: rd mr mw me
`;

const program = '/usr/local/lib/drawbridge/drawbridge-agent';

test('code and constants of the program may be released', () => {
  const smaps =
    entry(`00400000-0082e000 r--p 00000000 fe:00 2146568                            ${program}`) +
    entry(`7fe7f3dc0000-7fe7f3fd5000 r-xp 01627000 fe:00 2146568                    ${program}`);

  assert.deepEqual(fileMappings(smaps), [
    { start: 0x400000n, length: 0x42e000n },
    { start: 0x7fe7f3dc0000n, length: 0x215000n },
  ]);
});

const kept: Record<string, string> = {
  'constants that were relocated at the start': entry(
    `072a7000-072dc000 r--p 06ea7000 fe:00 2146568 ${program}`,
    56,
  ),
  variables: entry(`072dc000-0735a000 rw-p 06edc000 fe:00 2146568 ${program}`),
  'the heap': entry('0f149000-0f9c0000 rw-p 00000000 00:00 0                          [heap]'),
  'memory without a file': entry('7f0000000000-7f0000021000 r--p 00000000 00:00 0 '),
  'code that the agent generated': entry('7f0000000000-7f0000021000 r-xp 00000000 00:00 0 '),
  'the vdso page of the kernel': entry(
    '7ffd1a9f2000-7ffd1a9f4000 r-xp 00000000 00:00 0                  [vdso]',
  ),
  'memory shared with others': entry('7f0000000000-7f0000021000 r--s 00000000 00:01 5 /dev/shm/some'),
};

for (const [what, smaps] of Object.entries(kept))
  test(`${what}: never released`, () => {
    assert.deepEqual(fileMappings(smaps), []);
  });
