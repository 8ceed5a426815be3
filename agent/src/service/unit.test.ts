/** Tests of the systemd unit, also with systemd's own checker if it is installed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { unitFile, unitName } from './unit.ts';

const unit = unitFile({
  command: ['/usr/local/lib/drawbridge/drawbridge-agent'],
  folder: '/var/lib/drawbridge-agent',
});
const lines = unit.split('\n');

test('the unit starts the single-file build as a service, with its state and its environment', () => {
  assert.ok(lines.includes('ExecStart="/usr/local/lib/drawbridge/drawbridge-agent" run --service'));
  assert.ok(lines.includes('Environment="DRAWBRIDGE_AGENT_DATA=/var/lib/drawbridge-agent"'));
  assert.ok(lines.includes('EnvironmentFile=-/var/lib/drawbridge-agent/environment'));
});

test('it starts at boot, and again after every crash, without a limit', () => {
  for (const line of ['WantedBy=multi-user.target', 'Restart=on-failure', 'StartLimitIntervalSec=0'])
    assert.ok(lines.includes(line), line);
});

test('no part of the machine is restricted: home folders, system folders and sudo', () => {
  const restrictions = lines.filter((line) =>
    /^(Protect|Private|ReadOnly|Inaccessible|Restrict|NoNew)/.test(line),
  );

  assert.deepEqual(
    restrictions.filter((line) => !line.endsWith('=no')),
    [],
  );
});

test('special characters of systemd are escaped in paths', () => {
  const odd = unitFile({
    command: ['/opt/a "b" 50%/$HOME/node', 'main.js', 'agent'],
    folder: '/srv/50% of it',
  });

  assert.match(odd, /^ExecStart="\/opt\/a \\"b\\" 50%%\/\$\$HOME\/node" "main.js" "agent" run --service$/m);
  assert.match(odd, /^Environment="DRAWBRIDGE_AGENT_DATA=\/srv\/50%% of it"$/m);
  assert.match(odd, /^EnvironmentFile=-\/srv\/50%% of it\/environment$/m);
});

const checker = spawnSync('systemd-analyze', ['--version']).status === 0;

test('systemd accepts the unit', { skip: !checker && 'systemd-analyze is not installed' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-unit-'));
  const file = join(folder, unitName);
  writeFileSync(
    file,
    unitFile({ command: [process.execPath, '/some/main.js', 'agent'], folder: '/var/lib/drawbridge-agent' }),
  );

  const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });

  // systemd before version 254 does not know the two settings that slow down restarts; it warns and ignores them.
  const complaints = stderr
    .split('\n')
    .filter(
      (line) => line.includes(unitName) && !/Unknown key (name )?'Restart(Steps|MaxDelaySec)'/.test(line),
    );
  assert.deepEqual([status, complaints], [0, []]);
});
