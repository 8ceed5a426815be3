/** `npm run build:deb`: builds the server as a Debian package for this machine's architecture, in dist/deb. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodePath, programFolder, writePackageFiles } from './package-files.ts';

const root = join(import.meta.dirname, '../..');
const { fingerprint } = createRequire(import.meta.url)('../freshness.cjs') as {
  fingerprint: (root: string) => string;
};
const architectures: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/** What the program consists of besides its packages. The sources are in the bundles. */
const parts = ['cli/bin', 'cli/package.json', 'scripts/freshness.cjs', 'LICENSE', 'dist'];
/** Parts of dist that only builds use. */
const unused = /^dist\/(\.cache|\.stamp|agent-packages|deb|sdk)(\/|$)/;

interface LockedPackage {
  dev?: boolean;
  devOptional?: boolean;
  link?: boolean;
}

/** The folders of the packages that the server needs on this machine. The pinned Node is copied on its own. */
function productionPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  return Object.entries(packages)
    .filter(
      ([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link,
    )
    .map(([path]) => path)
    .filter((path) => !path.startsWith('node_modules/node-linux-') && existsSync(join(root, path)));
}

function stageProgram(stage: string): void {
  const folder = join(stage, programFolder);
  const copy = (path: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (from) => !unused.test(from.slice(root.length + 1)),
    });
  };
  [...parts, ...productionPackages()].forEach(copy);
  mkdirSync(dirname(join(stage, nodePath)), { recursive: true });
  cpSync(process.execPath, join(stage, nodePath));
  // The command line finds its launcher under the name of its package.
  cpSync(join(root, 'node_modules/@drawbridge/cli'), join(folder, 'node_modules/@drawbridge/cli'), {
    recursive: true,
    verbatimSymlinks: true,
  });
}

/** Gives all files one time, to the second: packages keep no fractions, and builds of one source are then equal. */
function setTimes(path: string, seconds: number): void {
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true }))
    lutimesSync(join(entry.parentPath, entry.name), seconds, seconds);
}

function run(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? status}`);
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const architecture = architectures[process.arch];
if (!architecture) throw new Error(`There is no Debian package for ${process.arch}.`);
run(process.execPath, [join(root, 'scripts/build.ts')]);
if (!existsSync(join(root, 'dist/agent-files')))
  console.warn('The package will offer no agent: run npm run build:agent first.');
const stage = mkdtempSync(join(tmpdir(), 'drawbridge-deb-'));
try {
  chmodSync(stage, 0o755);
  writePackageFiles(stage, version, architecture);
  stageProgram(stage);
  const seconds = Number(process.env['SOURCE_DATE_EPOCH'] ?? Math.floor(Date.now() / 1_000));
  const folder = join(stage, programFolder);
  writeFileSync(join(folder, 'dist/.stamp'), fingerprint(folder));
  setTimes(stage, seconds);
  const file = join(root, 'dist/deb', `drawbridge_${version}_${architecture}.deb`);
  mkdirSync(dirname(file), { recursive: true });
  run('dpkg-deb', ['--root-owner-group', '-Zzstd', '--build', stage, file]);
} finally {
  rmSync(stage, { recursive: true, force: true });
}
