/**
 * Files attached to a device: what is downloaded equals what was uploaded, and no bytes stay where they
 * should not.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runCli } from '@drawbridge/cli/run';
import { sweepFiles } from '@drawbridge/server/jobs/sweep-files';
import { openBlobStore } from '@drawbridge/server/store/blobs/blob-store';
import { must, type TestPerson, type TestAccount } from '../kit/server/account.ts';
import { databases } from '../kit/server/database.ts';
import { eventually } from '../kit/eventually.ts';
import { hostileNames } from '../kit/hostile/hostile-names.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openRawClient } from '../kit/server/raw-client.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const bytesOf = (text: string) => new TextEncoder().encode(text);
const place = /^[0-9a-f]{64}-[0-9a-f]{16}$/;
const mebibyte = 1_048_576;

for (const { kind, skip } of databases)
  describe(`attached files on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => void (service = await startService({ database: kind })));
    after(() => service[Symbol.asyncDispose]());

    const blobFolderOf = ({ id }: TestAccount): string => join(service.folder, 'files', String(id));
    const lying = (account: TestAccount): string[] =>
      existsSync(blobFolderOf(account)) ? readdirSync(blobFolderOf(account)) : [];
    const send = (person: TestPerson, params: Record<string, unknown>, bytes: Uint8Array | Buffer) =>
      service.testClient.send({
        method: 'POST',
        path: `/v1/agents/files/add?${new URLSearchParams(params as Record<string, string>).toString()}`,
        headers: { 'X-Api-Key': person.apiKey },
        body: Buffer.from(bytes),
      });
    const fetchFile = (person: TestPerson, id: number, headers: Record<string, string> = {}) =>
      service.testClient.send({
        path: `/v1/agents/files/get?id=${id}`,
        headers: { 'X-Api-Key': person.apiKey, ...headers },
      });
    const attach = async ({ owner }: TestAccount, agentId: number, text: string, name = 'a.txt') => {
      const { http, body } = await owner.call('agents/files/add', { agent_id: agentId, name }, bytesOf(text));
      assert.equal(http, 200, JSON.stringify(body));
      return body['id'] as number;
    };
    const listed = async ({ owner }: TestAccount, agentId: number) =>
      (await owner.call('agents/files/list', { agent_id: agentId })).body['data'] as Record<
        string,
        unknown
      >[];
    /** Backdates everything in the blob store by a day. */
    const age = (account: TestAccount): void => {
      for (const name of lying(account)) utimesSync(join(blobFolderOf(account), name), 1, 1);
    };
    const sweep = async (): Promise<number> => {
      const { publicKey: owner } = await must(service.server.store, 'server/identity', {
        privateKey: '',
        publicKey: '',
      });
      const { now } = service.server.store;
      const blobs = await openBlobStore({ folder: join(service.folder, 'files'), largest: 1, owner, now });
      return sweepFiles(service.server.store, blobs!);
    };

    test('a file of 20 MB is downloaded as it was uploaded, under its name, and is listed', async () => {
      const account = await service.account();
      const { id: agentId } = await account.agent();
      const bytes = randomBytes(20 * mebibyte);
      const given = {
        agent_id: agentId,
        name: 'Anleitung für Zoë.pdf',
        type: 'application/pdf',
        note: 'p. 7',
      };

      const added = JSON.parse((await send(account.owner, given, bytes)).text) as Record<string, unknown>;
      const got = await fetchFile(account.owner, added['id'] as number);

      assert.deepEqual(added, { status: 0, id: added['id'], size: bytes.length, sha256: sha256(bytes) });
      assert.equal(sha256(got.bytes), sha256(bytes));
      const { headers } = got;
      assert.deepEqual(
        [
          'content-type',
          'content-disposition',
          'x-content-type-options',
          'cache-control',
          'content-length',
        ].map((name) => headers[name]),
        [
          'application/octet-stream',
          `attachment; filename="Anleitung f_r Zo_.pdf"; filename*=UTF-8''Anleitung%20f%C3%BCr%20Zo%C3%AB.pdf`,
          'nosniff',
          'no-store',
          String(bytes.length),
        ],
      );
      const { agent_id: _device, ...declared } = given;
      const row = { size: bytes.length, sha256: sha256(bytes), author: account.owner.email };
      assert.deepEqual(await listed(account, agentId), [
        { ...declared, ...row, id: added['id'], time: service.server.store.now() },
      ]);
    });

    test('the bytes are stored under a generated name, readable only by the server', async () => {
      const account = await service.account();
      await attach(account, (await account.agent()).id, 'hello', '../../evil.txt');

      const [name = ''] = lying(account);

      assert.match(name, place);
      assert.equal(name.slice(0, 64), sha256(bytesOf('hello')));
      const file = statSync(join(blobFolderOf(account), name));
      assert.deepEqual([file.mode & 0o777, statSync(blobFolderOf(account)).mode & 0o777], [0o600, 0o700]);
    });

    test('a part of a file can be requested, so that a download can continue', async () => {
      const account = await service.account();
      const id = await attach(account, (await account.agent()).id, '0123456789');
      const part = async (headers: Record<string, string>) => {
        const { http, text, headers: declared } = await fetchFile(account.owner, id, headers);
        return [http, text, declared['content-range']];
      };
      const tag = String((await fetchFile(account.owner, id)).headers['etag']);

      assert.deepEqual(await part({ Range: 'bytes=2-4' }), [206, '234', 'bytes 2-4/10']);
      assert.deepEqual(await part({ Range: 'bytes=-3' }), [206, '789', 'bytes 7-9/10']);
      assert.deepEqual(await part({ Range: 'bytes=5-', 'If-Range': tag }), [206, '56789', 'bytes 5-9/10']);
      assert.deepEqual(await part({ Range: 'bytes=5-', 'If-Range': '"else"' }), [
        200,
        '0123456789',
        undefined,
      ]);
      assert.deepEqual(await part({ Range: 'bytes=10-' }), [416, '', 'bytes */10']);
    });

    test('an upload that stops leaves nothing behind, and no row', async () => {
      const account = await service.account();
      const { id: agentId } = await account.agent();
      await attach(account, agentId, 'is there');
      const { port } = service.server.config.listen;

      const client = await openRawClient(port, {});
      client.send(
        `POST /v1/agents/files/add?agent_id=${agentId}&name=half.bin HTTP/1.1\r\nHost: localhost\r\n`,
        `X-Api-Key: ${account.owner.apiKey}\r\nContent-Length: ${mebibyte}\r\n\r\n`,
        randomBytes(300_000),
      );
      await eventually(
        async () => lying(account),
        (names) => names.some((name) => name.endsWith('.part')),
      );
      await client[Symbol.asyncDispose]();

      const left = await eventually(
        async () => lying(account),
        (names) => names.length === 1,
      );
      assert.match(left[0]!, place);
      assert.equal((await listed(account, agentId)).length, 1);
      const log = async () =>
        (await account.owner.call('audit/list', { limit: 1 })).body['data'][0] as object;
      const line = await eventually(log, (each) => 'outcome' in each && each.outcome === 'broken_upload');
      assert.ok(line);
    });

    test('leftovers of a crash in the blob store are swept, and referenced blobs are not', async () => {
      const account = await service.account();
      const id = await attach(account, (await account.agent()).id, 'stays');
      const blobFolder = blobFolderOf(account);
      const now = service.server.store.now();
      for (const orphan of [`${'0'.repeat(64)}-${'1'.repeat(16)}`, `${'2'.repeat(16)}.part`]) {
        writeFileSync(join(blobFolder, orphan), 'left over');
        utimesSync(join(blobFolder, orphan), now, now);
      }
      writeFileSync(join(blobFolder, 'not ours.txt'), 'of somebody else');

      assert.equal(await sweep(), 0, 'an upload may be going on');
      age(account);
      assert.equal(await sweep(), 2);

      assert.equal(lying(account).length, 2);
      assert.equal((await fetchFile(account.owner, id)).text, 'stays');
    });

    test('a removed file is gone at once, and an equal one of another account or device is not', async () => {
      const [account, other] = [await service.account(), await service.account()];
      const { id: agentId } = await account.agent();
      const [first, second] = [
        await attach(account, agentId, 'equal'),
        await attach(account, agentId, 'equal'),
      ];
      const abroad = await attach(other, (await other.agent()).id, 'equal');

      assert.equal((await account.owner.call('agents/files/remove', { id: first })).http, 200);

      assert.equal((await fetchFile(account.owner, first)).http, 403);
      assert.deepEqual([lying(account).length, lying(other).length], [1, 1]);
      assert.equal((await fetchFile(account.owner, second)).text, 'equal');
      assert.equal((await fetchFile(other.owner, abroad)).text, 'equal');
      assert.equal((await fetchFile(account.owner, abroad)).http, 403);
    });

    test('the files of a device are removed with it, and move with it when it is merged', async () => {
      const account = await service.account();
      const [kept, copy, gone] = [await account.agent(), await account.agent(), await account.agent()];
      const moved = await attach(account, copy.id, 'moved', 'moved.txt');
      await attach(account, gone.id, 'gone');

      await account.owner.call('agents/merge', { agent_id: copy.id, target_agent_id: kept.id });
      await account.owner.call('agents/logout', { id: gone.id });
      age(account);
      await sweep();

      assert.deepEqual(
        (await listed(account, kept.id)).map(({ id, name }) => [id, name]),
        [[moved, 'moved.txt']],
      );
      assert.equal((await fetchFile(account.owner, moved)).text, 'moved');
      assert.equal(lying(account).length, 1);
    });

    test('beyond the plan a file is refused with 402 and not stored; files beyond a reduced plan stay', async () => {
      const account = await service.account();
      const { id: agentId } = await account.agent();
      const plan = (files: number) =>
        must(service.server.store, 'plan/set', { accountId: account.id, plan: { files } });
      await plan(2);
      const ids = [await attach(account, agentId, 'one'), await attach(account, agentId, 'two')];

      const refused = await send(account.owner, { agent_id: agentId, name: 'three' }, bytesOf('three'));

      assert.deepEqual([refused.http, JSON.parse(refused.text).error.code], [402, 'plan_limit']);
      assert.equal(lying(account).length, 2);
      await plan(1);
      assert.equal((await fetchFile(account.owner, ids[1]!)).text, 'two');
      assert.equal((await send(account.owner, { agent_id: agentId, name: 'x' }, bytesOf('x'))).http, 402);
      const { id: late } = await account.agent();
      const limited = async () =>
        (await account.owner.call('agents/info', { agent_id: late })).body['data'].limited as boolean;
      assert.equal(await limited(), true);
      await account.owner.call('agents/files/remove', { id: ids[0] });
      assert.equal(await limited(), false);
    });

    test('a member who may only see the device may read its files, and change none', async () => {
      const account = await service.account();
      const { id: agentId } = await account.agent();
      const id = await attach(account, agentId, 'hello');
      const guest = await account.member([{ type: 'agent', permissions: ['agent_chat'], agentId }]);
      const outsider = await account.member();

      assert.equal((await fetchFile(guest, id)).text, 'hello');
      assert.equal((await guest.call('agents/files/list', { agent_id: agentId })).body['total'], 1);
      assert.equal((await guest.call('agents/files/remove', { id })).http, 403);
      assert.equal((await send(guest, { agent_id: agentId, name: 'x' }, bytesOf('x'))).http, 403);
      assert.equal((await fetchFile(outsider, id)).http, 403);
      assert.equal(lying(account).length, 1);
    });

    test('an empty file, and one whose bytes are lost, are refused in a sentence', async () => {
      const account = await service.account();
      const { id: agentId } = await account.agent();
      const id = await attach(account, agentId, 'lost');
      const error = ({ http, text }: { http: number; text: string }) => {
        const { code, field } = JSON.parse(text).error as { code: string; field?: string };
        return [http, code, field];
      };

      const empty = await send(account.owner, { agent_id: agentId, name: 'empty' }, bytesOf(''));

      assert.deepEqual(error(empty), [400, 'empty_file', 'body']);
      writeFileSync(join(blobFolderOf(account), lying(account)[0]!), 'longer than before');
      assert.deepEqual(error(await fetchFile(account.owner, id)), [403, 'bytes_missing', undefined]);
    });

    test('whatever a file is called, nothing is written outside its folder', async () => {
      const account = await service.account();
      const { id: agentId } = await account.agent();
      const everything = (): string[] =>
        (readdirSync(service.folder, { recursive: true }) as string[]).filter(
          (path) => !/^files\/\d+\/[0-9a-f]{64}-[0-9a-f]{16}$/.test(path),
        );
      await attach(account, agentId, 'first');
      const earlier = everything();
      let kept = 1;

      for (const [index, name] of hostileNames.entries()) {
        const { http, body } = await account.owner.call(
          'agents/files/add',
          { agent_id: agentId, name },
          bytesOf(`content ${index}`),
        );
        const context = `${JSON.stringify(name).slice(0, 60)}: ${http} ${JSON.stringify(body)}`;
        if (http !== 200) {
          assert.deepEqual([http, body.error?.field], [400, 'name'], context);
          continue;
        }
        kept += 1;
        const got = await fetchFile(account.owner, body['id'] as number);
        assert.equal(got.text, `content ${index}`, context);
        const saved = /^attachment; filename="([^"\\/]+)"; filename\*=UTF-8''([\w.~%&+$#^`|-]+)$/.exec(
          String(got.headers['content-disposition']),
        );
        assert.ok(saved, `${context} ${String(got.headers['content-disposition'])}`);
        assert.doesNotMatch(decodeURIComponent(saved[2]!), /^\.|[/\\:\p{Cc}\p{Cf}]/u, context);
      }

      assert.ok(hostileNames.length >= 200);
      assert.ok(kept > 50 && kept < hostileNames.length, `${kept} of ${hostileNames.length} were kept`);
      assert.deepEqual(everything(), earlier);
      assert.equal(lying(account).length, kept);
      assert.ok(lying(account).every((name) => place.test(name)));
    });
  });

test('a file that is too large is refused, with or without a declared length, and nothing is stored', async () => {
  await using service = await startService({ env: { DRAWBRIDGE_FILE_LIMIT_MB: '1' } });
  const account = await service.account();
  const { id: agentId } = await account.agent();
  const path = `/v1/agents/files/add?agent_id=${agentId}&name=large`;
  const key = { 'X-Api-Key': account.owner.apiKey };
  const upload = (size: number) =>
    service.testClient.send({ method: 'POST', path, headers: key, body: Buffer.alloc(size) });

  const declared = await upload(mebibyte + 1);
  const undeclared = await sendInChunks(service, path, account.owner, 3 * mebibyte);
  const fits = await upload(mebibyte);

  for (const { http, text } of [declared, undeclared]) {
    assert.equal(http, 400, text);
    assert.deepEqual(JSON.parse(text), {
      status: 1,
      error: {
        code: 'file_too_large',
        message: 'A file must not be larger than 1 MB.',
        field: 'body',
      },
    });
  }
  assert.equal(fits.http, 200, fits.text);
  assert.equal(readdirSync(join(service.folder, 'files', String(account.id))).length, 1);
});

/** Without a length, as a client that does not know it sends. */
async function sendInChunks(service: TestService, path: string, { apiKey }: TestPerson, size: number) {
  await using client = await openRawClient(service.server.config.listen.port, {});
  client.send(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${apiKey}\r\n`,
    `Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n`,
    Buffer.alloc(size),
    '\r\n0\r\n\r\n',
  );
  const received = await client.until(/\}\}$/);
  return { http: Number(received.split(' ')[1]), text: received.slice(received.indexOf('{')) };
}

test('the command line uploads and downloads a file, and reports failures', async () => {
  await using service = await startService();
  const account = await service.account();
  const { id: agentId } = await account.agent();
  const bytes = randomBytes(20 * mebibyte);
  writeFileSync(join(service.folder, 'x.pdf'), bytes);
  const type = async (...line: string[]) => {
    let out = '';
    let err = '';
    const environment = {
      env: {
        DRAWBRIDGE_SERVER: service.testClient.baseUrl,
        DRAWBRIDGE_API_KEY: account.owner.apiKey,
        DRAWBRIDGE_CA: service.server.certificate.certFile,
      },
      folder: service.folder,
      home: service.folder,
      columns: 80,
      out: (text: string) => void (out += text),
      err: (text: string) => void (err += text),
      input: async () => '',
      ask: async () => '',
      askSecret: async () => '',
      localServer: () => Promise.reject(new Error('the server is named')),
    };
    return { exit: await runCli(['agents', 'files', ...line], environment), out, err };
  };

  const added = await type('add', '--agent-id', String(agentId), '--file', './x.pdf', '--json');
  const { id } = JSON.parse(added.out) as { id: number };
  const got = await type('get', '--id', String(id), '--out', 'y.pdf');

  assert.deepEqual([added.exit, added.err, got.exit, got.err], [0, '', 0, '']);
  assert.equal(sha256(readFileSync(join(service.folder, 'y.pdf'))), sha256(bytes));
  const { data } = (await account.owner.call('agents/files/list', { agent_id: agentId })).body;
  assert.equal(data[0].name, 'x.pdf');
  const refused = await type('get', '--id', '9999', '--out', 'z.pdf');
  assert.deepEqual([refused.exit, existsSync(join(service.folder, 'z.pdf'))], [1, false]);
  assert.match(refused.err, /not_found/);
  assert.match((await type('add', '--agent-id', '1', '--file', 'none')).err, /There is no file/);
  assert.match((await type('get', '--id', '1')).err, /needs --out/);
  assert.match((await type('add', '--help')).out, /--file FILE +The file to send/);
});

test('the typed client sends bytes and returns a stream', async () => {
  await using service = await startService();
  const account = await service.account();
  const { id: agent_id } = await account.agent();
  const { files } = account.owner.client.agents;

  const { id, size } = await files.add({ agent_id, name: 'a.txt' }, { bytes: bytesOf('hello') });
  const stream = await files.get({ id });

  assert.deepEqual([size, await new Response(stream).text()], [5, 'hello']);
  await assert.rejects(files.get({ id: 9_999 }), { code: 'not_found' });
});

test('a server does not start on the attached files of another database, which it would sweep', async () => {
  await using service = await startService();
  const account = await service.account();
  const { id } = await account.agent();
  await account.owner.call('agents/files/add', { agent_id: id, name: 'a' }, bytesOf('a'));

  const other = startService({ env: { DRAWBRIDGE_FILES: join(service.folder, 'files') } });

  await assert.rejects(other, /attached files of another Drawbridge database/);
});
