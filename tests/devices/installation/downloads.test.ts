/**
 * What the server offers at /download/: the page, the checksums, the install script and files, and nothing
 * else.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { startService, type TestService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openRawClient } from '../../kit/server/raw-client.ts';
import { eventually } from '../../kit/eventually.ts';

const run = promisify(execFile);
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Longer than one read from disk, and than what a connection buffers. */
const content = Buffer.alloc(20_000_000, 'bytes of the agent ');
const name = 'drawbridge-agent-linux-x64';
const manifest = {
  version: '0.1.0',
  files: [{ name, os: 'linux', arch: 'x64', size: content.length, sha256: sha256(content) }],
};

/** A folder with the downloads, below a folder with a secret. */
function someOffer(): { folder: string } & Disposable {
  const outer = mkdtempSync(join(tmpdir(), 'drawbridge-offer-'));
  const folder = join(outer, 'agent-files');
  mkdirSync(folder);
  writeFileSync(join(outer, 'secret'), 'a secret');
  writeFileSync(join(folder, 'not-listed'), 'a secret');
  writeFileSync(join(folder, name), content);
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return { folder, [Symbol.dispose]: () => rmSync(outer, { recursive: true, force: true }) };
}

describe('a server with a built agent', () => {
  const offer = someOffer();
  let service: TestService;
  before(async () => {
    service = await startService({ env: { DRAWBRIDGE_DOWNLOADS: offer.folder } });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    offer[Symbol.dispose]();
  });

  test('sends the whole file, with its length and with its checksum as the ETag', async () => {
    const { http, headers, bytes } = await service.testClient.send({ path: `/download/${name}` });

    assert.equal(http, 200);
    assert.equal(sha256(bytes), sha256(content));
    assert.equal(headers['content-length'], String(content.length));
    assert.equal(headers['etag'], `"${sha256(content)}"`);
    assert.equal(headers['content-type'], 'application/octet-stream');
    assert.equal(headers['content-encoding'], undefined);
  });

  test('sends the rest of a file to a client that was cut off', async () => {
    const whole = { 'If-Range': `"${sha256(content)}"` };
    const rest = await service.testClient.send({
      path: `/download/${name}`,
      headers: { Range: 'bytes=500000-', ...whole },
    });

    assert.equal(rest.http, 206);
    assert.equal(rest.headers['content-range'], `bytes 500000-${content.length - 1}/${content.length}`);
    assert.deepEqual(rest.bytes, content.subarray(500_000));
  });

  test('sends the whole file if the part is of another version, and refuses a part beyond the end', async () => {
    const other = await service.testClient.send({
      path: `/download/${name}`,
      headers: { Range: 'bytes=5-', 'If-Range': '"another"' },
    });
    const beyond = await service.testClient.send({
      path: `/download/${name}`,
      headers: { Range: `bytes=${content.length}-` },
    });

    assert.deepEqual([other.http, other.bytes.length], [200, content.length]);
    assert.deepEqual([beyond.http, beyond.headers['content-range']], [416, `bytes */${content.length}`]);
  });

  test('answers 304 to a client that has the file, and HEAD with its size', async () => {
    const tag = { 'If-None-Match': `"${sha256(content)}"` };
    const again = await service.testClient.send({ path: `/download/${name}`, headers: tag });
    const size = await service.testClient.send({ path: `/download/${name}`, method: 'HEAD' });

    assert.deepEqual([again.http, again.bytes.length], [304, 0]);
    assert.deepEqual([size.http, size.headers['content-length']], [200, String(content.length)]);
    assert.equal(size.bytes.length, 0);
  });

  test('closes the file when a client disconnects in the middle', async () => {
    const openNow = (): number =>
      readdirSync('/proc/self/fd').filter((fd) => linkOf(fd) === join(offer.folder, name)).length;
    await using client = await openRawClient(service.server.config.listen.port, {});
    client.send(`GET /download/${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await client.until(/bytes of the agent/);
    client.socket.pause();
    const during = openNow();

    client.socket.destroy();
    await eventually(openNow, (count) => count === 0);

    assert.equal(during, 1);
  });

  test('lists checksums that sha256sum reads', async () => {
    const { text } = await service.testClient.send({ path: '/download/SHA256SUMS' });

    assert.equal(text, `${sha256(content)}  ${name}\n`);
  });

  test('opens no other file, however its name is spelt', async () => {
    const paths = [
      'not-listed',
      'manifest.json',
      '.stamp',
      '../secret',
      '..%2fsecret',
      '%2e%2e/secret',
      './not-listed',
      `${name}/`,
      `${name}%00`,
      name.toUpperCase(),
      '/etc/passwd',
    ];
    for (const path of paths) {
      await using client = await openRawClient(service.server.config.listen.port, {});
      client.send(`GET /download/${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      const answer = await client.ended();

      assert.match(answer, /^HTTP\/1\.1 404 /, path);
      assert.doesNotMatch(answer, /a secret|root:/, path);
    }
  });

  test('tells programs the install command, and for which systems there is a file', async () => {
    const [page, { http, text }] = await Promise.all([
      service.testClient.send({ path: '/download/' }),
      service.testClient.send({ path: '/download/install.json' }),
    ]);

    const { line, files } = JSON.parse(text) as { line: string; files: unknown };
    assert.equal(http, 200);
    assert.ok(page.text.includes(`<code>${line}</code>`) && line.endsWith(' TOKEN'), line);
    assert.deepEqual(files, [{ os: 'linux', arch: 'x64' }]);
  });

  test('shows a page with the file, its checksum and the install command', async () => {
    const { http, text, headers } = await service.testClient.send({ path: '/download/' });
    const line = installLine(text);

    assert.equal(http, 200);
    assert.ok(text.includes(sha256(content)) && text.includes(name));
    assert.match(String(headers['content-security-policy']), /default-src 'none'/);
    assert.ok(line.includes(`${service.server.config.publicUrl}/download/install.sh | sudo sh -s -- TOKEN`));
  });

  test(
    'the command names the public key, and curl refuses a server with another',
    { skip: skipWithout('curl') },
    async () => {
      const { text } = await service.testClient.send({ path: '/download/' });
      const [download = ''] = installLine(text).split(' | ');
      const pin = sha256OfKey(service.testClient.ca);

      const { stdout } = await run('sh', ['-c', download]);
      const wrong = run('sh', ['-c', download.replace(pin, Buffer.alloc(32).toString('base64'))]);

      assert.ok(download.includes(`--pinnedpubkey 'sha256//${pin}'`));
      assert.match(stdout, /^#!\/bin\/sh\n/);
      await assert.rejects(wrong, { code: 90 }); // curl: the key does not match the pinned one
    },
  );

  test('the script runs in a plain shell, and contains the checksum itself', async () => {
    const { text } = await service.testClient.send({ path: '/download/install.sh' });

    await run('sh', ['-n', '-c', text]);
    assert.ok(text.includes(`name=${name} sha256=${sha256(content)}`));
    assert.ok(text.endsWith('main "$@"\n'));
  });
});

describe('a server without a built agent', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ env: { DRAWBRIDGE_DOWNLOADS: 'nothing-here' } });
  });
  after(() => service[Symbol.asyncDispose]());

  test('says on the page how to build it, and refuses the files in JSON', async () => {
    const page = await service.testClient.send({ path: '/download/' });
    assert.equal(page.http, 200);
    assert.match(page.text, /npm run build:agent/);
    for (const path of [name, 'SHA256SUMS', 'install.sh']) {
      const { http, text } = await service.testClient.send({ path: `/download/${path}` });
      assert.deepEqual([http, JSON.parse(text).error.code], [404, 'not_built']);
    }
  });
});

test('a file for Windows is offered with a line for PowerShell, and its script contains the checksum', async () => {
  using offer = someOffer();
  await using service = await startService({ env: { DRAWBRIDGE_DOWNLOADS: offer.folder } });
  const forWindows = { ...manifest.files[0]!, name: 'drawbridge-agent-windows-x64.exe', os: 'windows' };
  const files = [...manifest.files, forWindows];
  const read = async (path: string): Promise<string> =>
    (await service.testClient.send({ path: `/download/${path}` })).text;
  const withoutWindows = await read('');

  writeFileSync(join(offer.folder, 'manifest.json'), JSON.stringify({ ...manifest, files }));
  const [page, install, support] = [await read(''), await read('install.json'), await read('join.json')];

  const url = `${service.server.config.publicUrl}/download`;
  assert.doesNotMatch(withoutWindows, /PowerShell/);
  assert.match(page, /PowerShell as an administrator. The agent for Windows is a beta, tested under\nWine/);
  assert.ok(JSON.parse(install).windows_line.includes(`${url}/install.ps1`), install);
  assert.ok(JSON.parse(install).windows_line.endsWith(' TOKEN'), install);
  assert.ok(JSON.parse(support).windows_line.includes(`${url}/join.ps1`), support);
  for (const script of [await read('install.ps1'), await read('join.ps1')])
    assert.ok(script.includes(`'AMD64' { $name = '${forWindows.name}'; $sha256 = '${forWindows.sha256}' }`));
});

test('a file that differs from its checksum list is not sent: it is being rebuilt', async () => {
  using offer = someOffer();
  await using service = await startService({ env: { DRAWBRIDGE_DOWNLOADS: offer.folder } });
  writeFileSync(join(offer.folder, name), 'half of it');

  assert.equal((await service.testClient.send({ path: `/download/${name}` })).http, 404);
});

test('a damaged list is answered as a server error, and its cause is in the log', async () => {
  using offer = someOffer();
  await using service = await startService({ env: { DRAWBRIDGE_DOWNLOADS: offer.folder } });
  const escape = { ...manifest, files: [{ ...manifest.files[0], name: '../secret' }] };
  for (const damaged of ['{', JSON.stringify(escape)]) {
    writeFileSync(join(offer.folder, 'manifest.json'), damaged);
    const { http, text } = await service.testClient.send({ path: '/download/SHA256SUMS' });
    assert.deepEqual([http, JSON.parse(text).error.code], [500, 'internal_error']);
  }
  assert.equal(service.logged.filter((line) => line.includes('a request failed')).length, 2);
});

/** The path behind a descriptor of this process; it may already be closed. */
function linkOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
}

const installLine = (page: string): string => /<pre><code>(.*)<\/code><\/pre>/.exec(page)?.[1] ?? '';

const sha256OfKey = (cert: string): string =>
  createHash('sha256')
    .update(new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
