/** Tests of finding the cookie of a display. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cookieIn, cookiesFor } from './cookies.ts';

const [local, wild, internet] = [256, 65_535, 0];
const kind = 'MIT-MAGIC-COOKIE-1';

function entry(family: number, ...texts: string[]): Buffer {
  const parts = texts.map((text) => {
    const bytes = Buffer.from(text, 'latin1');
    return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
  });
  return Buffer.concat([Buffer.from([family >> 8, family & 255]), ...parts]);
}
const dataIn = (entries: Buffer[], number = '1'): string | undefined =>
  cookieIn(Buffer.concat(entries), number, 'desk')?.data;

test('the cookie of the display with this number on this host is used', () => {
  const entries = [
    entry(internet, '\x7f\0\0\x01', '1', kind, 'by network'),
    entry(local, 'desk', '0', kind, 'another number'),
    entry(local, 'desk', '1', 'XDM-AUTHORIZATION-1', 'another kind'),
    entry(local, 'other', '1', kind, 'another host'),
    entry(local, 'desk', '1', kind, '\x01\xff mine'),
  ];

  assert.equal(dataIn(entries), '\x01\xff mine');
  assert.equal(dataIn(entries, '7'), undefined);
});

test('a cookie is found after the host changed its name, and wildcard cookies match', () => {
  assert.equal(dataIn([entry(local, 'before', '1', kind, 'still good')]), 'still good');
  assert.equal(dataIn([entry(wild, '', '', kind, 'for all')]), 'for all');
});

test('a truncated file yields its complete entries, and random bytes yield none', () => {
  const [first, second] = [
    entry(local, 'desk', '0', kind, 'first'),
    entry(local, 'desk', '1', kind, 'second'),
  ];
  const both = Buffer.concat([first, second]);

  for (let length = 0; length < both.length; length++)
    assert.equal(cookieIn(both.subarray(0, length), '1', 'desk'), undefined);
  assert.equal(cookieIn(both.subarray(0, -1), '0', 'desk')?.data, 'first');
  assert.equal(cookieIn(Buffer.alloc(999, 255), '1', 'desk'), undefined);
});

const data = async (display: string): Promise<string[]> => {
  const found: string[] = [];
  for await (const cookie of cookiesFor(display)) found.push(cookie.data);
  return found;
};

test('a pipe instead of the cookie file is not opened, so that no writer gets a reader', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-cookies-'));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const writer = spawn('sh', ['-c', 'echo ready; echo evil > "$0"', pipe], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(writer.stdout, 'data');
  process.env['XAUTHORITY'] = pipe;

  assert.deepEqual(await data(':4711'), ['']);

  delete process.env['XAUTHORITY'];
  assert.equal(execFileSync('timeout', ['10', 'cat', pipe], { encoding: 'utf8' }), 'evil\n');
  rmSync(folder, { recursive: true });
});

test(
  'a set-uid program of another user can only name a cookie file of root',
  { skip: process.getuid?.() !== 0 && 'only root can make files of other users' },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'drawbridge-cookies-'));
    const file = join(folder, 'cookies');
    writeFileSync(file, entry(wild, '', '4712', kind, 'of another user'));
    const program = spawn('sleep', ['100'], { env: { ...process.env, DISPLAY: ':4712', XAUTHORITY: file } });
    await once(program, 'spawn');

    assert.deepEqual(await data(':4712'), ['of another user', '']);
    chownSync(file, 65_534, 65_534);
    assert.deepEqual(await data(':4712'), ['']);

    program.kill();
    await once(program, 'exit');
    rmSync(folder, { recursive: true });
  },
);
