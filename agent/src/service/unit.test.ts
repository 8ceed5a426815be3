/** What systemd is told: read by systemd's own checker where there is one, and word by word where there is none. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { environmentFile, unitFile, unitName } from './unit.ts';

const unit = unitFile({
  command: ['/usr/local/lib/drawbridge/drawbridge-agent'],
  folder: '/var/lib/drawbridge-agent',
});
const lines = unit.split('\n');

test('the service starts the single file as a service, with its state and its environment', () => {
  assert.ok(lines.includes('ExecStart="/usr/local/lib/drawbridge/drawbridge-agent" run --service'));
  assert.ok(lines.includes('Environment="DRAWBRIDGE_AGENT_DATA=/var/lib/drawbridge-agent"'));
  assert.ok(lines.includes('EnvironmentFile=-/var/lib/drawbridge-agent/environment'));
});

test('it starts with the machine, and again after every crash, however many there were', () => {
  for (const line of ['WantedBy=multi-user.target', 'Restart=on-failure', 'StartLimitIntervalSec=0'])
    assert.ok(lines.includes(line), line);
});

test('nothing of the machine is fenced off from operators: homes, system folders and what sudo gives', () => {
  const fences = lines.filter((line) => /^(Protect|Private|ReadOnly|Inaccessible|Restrict|NoNew)/.test(line));

  assert.deepEqual(
    fences.filter((line) => !line.endsWith('=no')),
    [],
  );
});

test('signs that mean something to systemd are only signs in a path', () => {
  const odd = unitFile({
    command: ['/opt/a "b" 50%/$HOME/node', 'main.js', 'agent'],
    folder: '/srv/50% of it',
  });

  assert.match(odd, /^ExecStart="\/opt\/a \\"b\\" 50%%\/\$\$HOME\/node" "main.js" "agent" run --service$/m);
  assert.match(odd, /^Environment="DRAWBRIDGE_AGENT_DATA=\/srv\/50%% of it"$/m);
  assert.match(odd, /^EnvironmentFile=-\/srv\/50%% of it\/environment$/m);
});

test('a proxy is taken along, with its password in a file of its own', () => {
  const text = environmentFile({
    HTTPS_PROXY: 'http://ann:a"b$c@proxy:3128',
    NO_PROXY: 'localhost',
    PATH: '/bin',
  });

  assert.equal(text, 'HTTPS_PROXY="http://ann:a\\"b\\$c@proxy:3128"\nNO_PROXY="localhost"\n');
  assert.equal(environmentFile({ PATH: '/bin' }), '');
});

test('the VNC server of the device is taken along too, and what is not named anew stays as it was', () => {
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

const checker = spawnSync('systemd-analyze', ['--version']).status === 0;

test('systemd finds nothing wrong with it', { skip: !checker && 'systemd-analyze is not installed' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-unit-'));
  const file = join(folder, unitName);
  writeFileSync(
    file,
    unitFile({ command: [process.execPath, '/some/main.js', 'agent'], folder: '/var/lib/drawbridge-agent' }),
  );

  const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });

  // Before 254 systemd does not know of the two lines that slow restarts down; it says so and goes on.
  const complaints = stderr
    .split('\n')
    .filter(
      (line) => line.includes(unitName) && !/Unknown key (name )?'Restart(Steps|MaxDelaySec)'/.test(line),
    );
  assert.deepEqual([status, complaints], [0, []]);
});
