/**
 * The client as users get it: packed, installed in a separate folder, used from plain JavaScript and from
 * TypeScript.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { buildSdk } from '../../../scripts/build-sdk.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'drawbridge-package-'));
const installed = join(folder, 'node_modules/@drawbridge/client');
/** As on a machine without this project: npm puts its programs, Node among them, before the others. */
const path = (process.env['PATH'] ?? '').split(delimiter).filter((each) => !each.includes('node_modules'));
/** Nothing may come from the network or from a cache. */
const env = {
  PATH: path.join(delimiter),
  HOME: folder,
  npm_config_cache: join(folder, 'cache'),
  npm_config_offline: 'true',
  npm_config_audit: 'false',
  npm_config_update_notifier: 'false',
};
const run = (program: string, ...args: string[]) =>
  promisify(execFile)(program, args, { cwd: folder, env }).catch(
    (error: { stdout: string; stderr: string }) =>
      assert.fail(`${program} ${args.join(' ')}\n${error.stdout}${error.stderr}`),
  );

before(async () => {
  await buildSdk(join(folder, 'built'));
  const { stdout } = await run('npm', 'pack', './built', '--silent');
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }');
  await run('npm', 'install', `./${stdout.trim()}`);
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('the package contains one script, types, a readme and a licence, and has no dependencies', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  const files = readdirSync(installed);

  assert.deepEqual(
    files.filter((name) => !name.endsWith('.d.ts')),
    ['LICENSE', 'README.md', 'client.js', 'package.json'],
  );
  assert.ok(files.includes('client.d.ts'));
  for (const name of files.filter((each) => each.endsWith('.d.ts')))
    assert.doesNotMatch(
      readFileSync(join(installed, name), 'utf8'),
      /'\.\/\S+\.ts'/,
      'sources are not part of it',
    );
  assert.deepEqual([manifest['name'], manifest['dependencies']], ['@drawbridge/client', undefined]);
  const script = readFileSync(join(installed, 'client.js'), 'utf8');
  assert.doesNotMatch(
    script,
    /\bimport\b[^;]*['"]|\brequire\(|\bprocess\b|\bBuffer\b/,
    'browsers have none of these',
  );
  assert.doesNotMatch(readFileSync(join(installed, 'README.md'), 'utf8'), /\]\(\.\.|npm run/);
});

const script = `
  import { createClient, DrawbridgeError } from '@drawbridge/client';
  const client = createClient({ baseUrl: process.argv[2], apiKey: 'k', retries: 0 });
  const { data } = await client.groups.list();
  const refused = await client.call('groups/remove', { id: 1 }).catch((error) => error);
  console.log(JSON.stringify([data, refused instanceof DrawbridgeError, refused.code]));
`;
for (const [which, node] of [
  ['the Node in PATH, 20 or later', 'node'],
  ['the Node that Drawbridge runs on', process.execPath],
] as const)
  test(`${which} imports it and calls a server`, async (context) => {
    const server = createServer((request, response) => {
      const isList = request.url === '/v1/groups/list';
      const body = isList
        ? { data: [{ id: 1, name: 'desks' }] }
        : { status: 8, error: { code: 'forbidden' } };
      response.writeHead(isList ? 200 : 403).end(JSON.stringify(body));
    });
    context.after(() => server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    writeFileSync(join(folder, 'use.mjs'), script);

    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { stdout } = await run(node, 'use.mjs', address);

    assert.deepEqual(JSON.parse(stdout), [[{ id: 1, name: 'desks' }], true, 'forbidden']);
  });

const typed = `
  import { createClient, DrawbridgeError, type Agent, type Client, type ParamsOf } from '@drawbridge/client';
  const client: Client = createClient({ baseUrl: 'https://localhost', apiKey: 'k' });
  const params: ParamsOf<'agents/list'> = { search: 'web' };
  const devices: Agent[] = (await client.call('agents/list', params)).data;
  const url: string = (await client.support.create({ client_name: 'Ann' })).data.invite_url;
  // @ts-expect-error there is no such operation
  await client.call('agents/explode', {});
  // @ts-expect-error an id is a number
  await client.groups.remove({ id: 'one' });
  const code = (error: unknown): string | undefined => (error instanceof DrawbridgeError ? error.code : undefined);
  export { devices, url, code };
`;
for (const module of [
  ['--module', 'nodenext'],
  ['--module', 'esnext', '--moduleResolution', 'bundler'],
])
  test(`its types compile in a strict TypeScript program with ${module.join(' ')}`, async () => {
    writeFileSync(join(folder, 'use.ts'), typed);
    const strict = [
      '--strict',
      '--exactOptionalPropertyTypes',
      '--noEmit',
      '--types',
      '',
      '--target',
      'es2022',
    ];

    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    await run(process.execPath, tsc, 'use.ts', '--lib', 'es2022,dom', ...strict, ...module);
  });
