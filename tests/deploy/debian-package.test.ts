/** The Debian package, with a small program in place of the server: what it contains, and that its scripts can run. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { nodePath, writePackageFiles } from '../../scripts/deb/package-files.ts';
import { skipWithout } from '../kit/requirements.ts';

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  assert.equal(status, 0, `${program} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

test(
  'the package has its service, its settings and scripts that can run',
  { skip: skipWithout('dpkg-deb') },
  (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'drawbridge-deb-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const [stage, file, unpacked] = ['stage', 'drawbridge.deb', 'unpacked'].map((name) => join(folder, name));
    writePackageFiles(stage!, '1.2.3', 'arm64');
    mkdirSync(dirname(join(stage!, nodePath)), { recursive: true });
    writeFileSync(join(stage!, nodePath), '#!/bin/sh\necho "$DRAWBRIDGE_DATA $*"\n', { mode: 0o755 });

    run('dpkg-deb', '--root-owner-group', '--build', stage!, file!);
    const contents = run('dpkg-deb', '--contents', file!);
    run('dpkg-deb', '--raw-extract', file!, unpacked!);

    assert.equal(
      run('dpkg-deb', '--field', file!, 'Package', 'Version'),
      'Package: drawbridge\nVersion: 1.2.3\n',
    );
    for (const line of [
      /^-rw-r-{5} root\/root .* \.\/etc\/drawbridge\/drawbridge\.toml$/m,
      /^-rwxr-xr-x root\/root .* \.\/usr\/bin\/drawbridge$/m,
      /^-rw-r--r-- root\/root .* \.\/usr\/lib\/systemd\/system\/drawbridge\.service$/m,
    ])
      assert.match(contents, line);
    assert.equal(
      readFileSync(join(unpacked!, 'DEBIAN/conffiles'), 'utf8'),
      '/etc/drawbridge/drawbridge.toml\n',
    );
    for (const script of ['DEBIAN/postinst', 'DEBIAN/prerm', 'DEBIAN/postrm', 'usr/bin/drawbridge'])
      run('sh', '-n', join(unpacked!, script));
  },
);
