/** Tests of the variables that a service gets from the user who installed it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { environmentFile, readEnvironment, saveEnvironment } from './environment-file.ts';

test('a proxy is passed on, with its password in a separate file', () => {
  const text = environmentFile({
    HTTPS_PROXY: 'http://ann:a"b$c@proxy:3128',
    NO_PROXY: 'localhost',
    PATH: '/bin',
  });

  assert.equal(text, 'HTTPS_PROXY="http://ann:a\\"b\\$c@proxy:3128"\nNO_PROXY="localhost"\n');
  assert.equal(environmentFile({ PATH: '/bin' }), '');
});

test('the VNC settings are passed on too, and settings that are not named again are kept', () => {
  const before = environmentFile({ HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'localhost' });

  const text = environmentFile(
    {
      NO_PROXY: '.example.com',
      DRAWBRIDGE_AGENT_VNC: '127.0.0.1:5900',
      DRAWBRIDGE_AGENT_VNC_PASSWORD_FILE: '/etc/vnc-password',
    },
    before,
  );

  assert.deepEqual(text.split('\n'), [
    'HTTPS_PROXY="http://proxy:3128"',
    'NO_PROXY=".example.com"',
    'DRAWBRIDGE_AGENT_VNC="127.0.0.1:5900"',
    'DRAWBRIDGE_AGENT_VNC_PASSWORD_FILE="/etc/vnc-password"',
    '',
  ]);
  assert.equal(environmentFile({}, text), text);
});

test('what was saved is read again, whatever is in it, and a later installation changes only what it names', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-environment-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const proxy = 'http://ann:a"b$c`d\\e=f@proxy:3128';
  assert.deepEqual(readEnvironment(folder), {});

  saveEnvironment(folder, { HTTPS_PROXY: proxy, PATH: '/bin' });
  saveEnvironment(folder, { NO_PROXY: 'localhost,.example.com' });

  assert.deepEqual(readEnvironment(folder), { HTTPS_PROXY: proxy, NO_PROXY: 'localhost,.example.com' });
});
