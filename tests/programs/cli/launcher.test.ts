/** The one command `drawbridge` and the programs behind it: which of them a command line runs. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const launcher = join(import.meta.dirname, '../../../cli/bin/drawbridge.cjs');
const folder = mkdtempSync(join(tmpdir(), 'drawbridge-launcher-'));
after(() => rmSync(folder, { recursive: true }));

function type(...args: string[]): { exit: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, DRAWBRIDGE_DATA: join(folder, 'data') },
    encoding: 'utf8',
    timeout: 300_000,
  });
  return { exit: status, out: stdout, err: stderr };
}

test('options before an administration command do not select another program', () => {
  const [before, behind] = [
    type('--json', 'key', 'create', '--email', 'nobody@example.com'),
    type('key', 'create', '--email', 'nobody@example.com', '--json'),
  ];

  assert.deepEqual(before, behind);
  assert.equal(before.exit, 1);
  assert.match(before.err, /^drawbridge: .*\.\n$/);
  assert.deepEqual(type('--help', 'key', 'create'), type('key', 'create', '--help'));
  assert.match(type('--json', '--help', 'key', 'create').out, /^Usage: drawbridge key create --email E/);
});

test('the value of an option is not taken for a command, and asking about the server does not start it', () => {
  const profile = type('--profile', 'doctor', 'agents', 'list');
  const start = type('--help', 'start');

  assert.deepEqual([profile.exit, profile.err], [2, 'drawbridge: There is no profile doctor.\n']);
  assert.deepEqual([start.exit, start.err], [0, '']);
  assert.match(start.out, /Start the server/);
});

test('audit verify checks this machine’s store, and asks a server if one is named', () => {
  const here = type('audit', 'verify');
  const there = type('audit', 'verify', '--server', 'https://localhost:1', '--key', 'k'.repeat(64));

  assert.match(here.err, /^drawbridge: There is no Drawbridge data in /);
  assert.match(there.err, /could not be reached/);
});

test('commands find the server of this machine by its settings, and server show prints them', () => {
  writeFileSync(join(folder, 'drawbridge.toml'), "listen = '[::]:1'\n");

  const shown = JSON.parse(type('server', 'show', '--json').out) as Record<string, unknown>;
  const called = type('groups', 'list', '--key', 'k'.repeat(64));
  const wrong = type('groups', 'list', '--key', 'k'.repeat(64), '--server', 'https://localhost:2');

  assert.deepEqual(shown, {
    server: 'https://[::1]:1',
    public_url: 'https://localhost:1',
    data: join(folder, 'data'),
    certificate: join(folder, 'data/tls/cert.pem'),
    fingerprint: null,
  });
  assert.match(called.err, /^drawbridge: https:\/\/\[::1\]:1: /);
  assert.match(wrong.err, /^drawbridge: https:\/\/localhost:2: /);
});
