/**
 * Recordings at the server: which sessions are recorded, which chunks it accepts from a device, and who may
 * play and remove them.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { recordingIndex } from '@drawbridge/contract/session/player';
import { chunkHeaders, maxChunkBytes, encodeRecordedFrame } from '@drawbridge/contract/session/recording';
import { openBlobStores, type BlobStores } from '@drawbridge/server/compose/blob-stores';
import { hmacOf } from '@drawbridge/server/edges/random';
import { findVisibleRecording } from '@drawbridge/server/public-pages/player';
import { removeOldRecordings } from '@drawbridge/server/jobs/old-recordings';
import { sweepRecordings } from '@drawbridge/server/jobs/sweep-files';
import { openChunkReader } from '@drawbridge/web/player/chunk-reader';
import { toTimeline } from '@drawbridge/web/player/timeline';
import { must, type TestPerson, type TestAccount } from '../kit/server/account.ts';
import { databases } from '../kit/server/database.ts';
import { createEnrolToken } from '../kit/server/enrolment.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import {
  postToSession,
  linkCode,
  parseGrant,
  joinLobby,
  openSessionLink,
  readRefusal,
  randomKey,
  startFakeDevice,
  joinRelay,
  type FakeDevice,
} from '../kit/session/session-ends.ts';
import { findLastVideo } from '../kit/session/recorded-session.ts';
import { eventually } from '../kit/eventually.ts';
import { createChunkUploader, type Uploader } from '../kit/session/chunk-uploader.ts';
import { startObjectStorage, type TestObjectStorage } from '../kit/storage/object-storage.ts';

const day = 86_400;
/** The parsed body. */
const [notFound, forbidden] = [6, 8];

const places = [
  ...databases.map(({ kind, skip }) => ({ kind, skip, isBucket: false })),
  { kind: 'sqlite', skip: false, isBucket: true } as const,
];

for (const { kind, skip, isBucket } of places)
  describe(`recordings on ${kind}${isBucket ? ' with an object storage' : ''}`, { skip }, () => {
    let service: TestService;
    let storage: TestObjectStorage | undefined;
    before(async () => {
      storage = isBucket ? await startObjectStorage() : undefined;
      const env = storage && { DRAWBRIDGE_OBJECT_STORAGE: storage.urlOf('tests/') };
      service = await startService({ database: kind, ...(env && { env }) });
    });
    after(async () => {
      await service[Symbol.asyncDispose]();
      await storage?.[Symbol.asyncDispose]();
    });

    async function fixture(): Promise<{ account: TestAccount; owner: TestPerson; device: FakeDevice }> {
      const account = await service.account();
      const device = await startFakeDevice(service.testClient.baseUrl, await createEnrolToken(account.owner));
      await eventually(
        async () => (await account.owner.call('agents/info', { agent_id: device.id })).body['data'].online,
        (online) => online === true,
      );
      return { account, owner: account.owner, device };
    }
    const link = async (person: TestPerson, agent_id: number, more: object = {}): Promise<string> =>
      (await person.call('agents/connect', { agent_id, ...more })).body['data'].url;
    const openWith = async (person: TestPerson, device: FakeDevice, more: object = {}) => {
      const opened = await openSessionLink(service, await link(person, device.id, more));
      return { opened, grant: device.grants.at(-1)! };
    };
    /** A session in which something was recorded, now over. */
    async function recorded(
      owner: TestPerson,
      device: FakeDevice,
      contents: readonly string[] = ['one', 'two'],
    ) {
      const { opened, grant } = await openWith(owner, device, { video: true });
      const operator = joinRelay(opened);
      await operator.paired;
      await eventually(
        () => findLastVideo(owner),
        (last) => last?.id === opened.session,
      );
      const uploader = createChunkUploader(service, grant);
      for (const [at, content] of contents.entries())
        assert.equal((await uploader.send(content, { last: at === contents.length - 1 })).http, 204);
      operator.socket.close(1_000);
      const { video } = await eventually(
        () => findLastVideo(owner),
        ({ stop }) => stop !== undefined,
      );
      return { session: opened.session, video: video!, path: new URL(video!.url).pathname, uploader };
    }
    /** Where the server keeps recordings, opened a second time, as it is some hours later. */
    const openRecordings = async (hours = 0): Promise<BlobStores['recordings']> => {
      const { store, config } = service.server;
      const now = (): number => store.now() + hours * 3_600;
      return (await openBlobStores(config, { ...store, now })).recordings;
    };
    const lying = async ({ id }: TestAccount): Promise<string[]> =>
      (await Array.fromAsync((await openRecordings()).keys(id))).flat();
    const bytesLying = async (account: TestAccount): Promise<Buffer[]> => {
      const blobs = await openRecordings();
      const read = async (key: string): Promise<Buffer> => {
        const size = (await blobs.sizeOf(account.id, key))!;
        const opened = (await blobs.open(account.id, key, size))!;
        const bytes = await Array.fromAsync(opened.read(0, size - 1) as AsyncIterable<Buffer>);
        await opened.close();
        return Buffer.concat(bytes);
      };
      return Promise.all((await lying(account)).map(read));
    };
    const indexAt = (path: string, forwarded = {}) =>
      service.testClient.send({ path: path.replace('/r/', '/recording/'), headers: forwarded });

    test('a link or the account’s setting decides whether a session is recorded, and the device learns where to upload', async () => {
      const { owner, device } = await fixture();
      await using _device = device;

      const plain = await openWith(owner, device);
      await owner.call('account/update', { record: true });
      const bySetting = await openWith(owner, device);
      const off = await openWith(owner, device, { video: false });
      await owner.call('account/update', { record: false });
      const on = await openWith(owner, device, { video: true });

      assert.deepEqual(
        [plain, bySetting, off, on].map(({ opened, grant }) => [opened.record, grant.record !== undefined]),
        [
          [false, false],
          [true, true],
          [false, false],
          [true, true],
        ],
      );
      const [one, two] = [bySetting.grant.record!, on.grant.record!];
      assert.match(one.url, new RegExp(`^${service.server.config.publicUrl}/recording-upload/\\d+$`));
      assert.deepEqual(
        [one.key === two.key, one.token === two.token, one.url === two.url],
        [true, false, false],
      );
      assert.equal((await owner.call('account/info')).body['data'].record, false);
    });

    test('chunks are accepted only in order and with the right token', async () => {
      const { account, owner, device } = await fixture();
      await using _device = device;
      const { grant } = await openWith(owner, device, { video: true });
      const { grant: other } = await openWith(owner, device, { video: true });
      const uploader = createChunkUploader(service, grant);
      const codes: Record<string, number> = {};
      const note = async (name: string, answer: ReturnType<Uploader['send']>): Promise<void> =>
        void (codes[name] = (await answer).http);

      await note('before the first', uploader.send('a', { number: 1 }));
      await note('wrong token', uploader.again({ token: other.record!.token }));
      await note('no token', uploader.again({ token: '' }));
      await note('no such recording', uploader.again({ path: '/recording-upload/999999' }));
      await note('another recording', uploader.again({ path: new URL(other.record!.url).pathname }));
      await note('a page', uploader.again({ headers: { Origin: service.server.config.publicUrl } }));
      await note('no key', uploader.again({ headers: { [chunkHeaders.key]: 'x' } }));
      await note('ends before it begins', uploader.again({ headers: { [chunkHeaders.to]: '-1' } }));
      await note('too large', uploader.again({ body: Buffer.alloc(maxChunkBytes + 1) }));
      assert.deepEqual(await lying(account), []);
      await note('first', uploader.again());
      await note('first again', uploader.again());
      await note('first with other bytes', uploader.again({ body: Buffer.from('other') }));
      await note('second', uploader.send('b'));
      await note('first after the second', uploader.again({ number: 0 }));
      await note('third left out', uploader.send('c', { number: 3 }));
      await note('last', uploader.again({ last: true }));
      await note('after the last', uploader.send('d'));

      assert.deepEqual(codes, {
        'before the first': 409,
        'wrong token': 404,
        'no token': 404,
        'no such recording': 404,
        'another recording': 404,
        'a page': 403,
        'no key': 400,
        'ends before it begins': 400,
        'too large': 413,
        first: 204,
        'first again': 204,
        'first with other bytes': 409,
        second: 204,
        'first after the second': 409,
        'third left out': 409,
        last: 204,
        'after the last': 409,
      });
      assert.equal((await lying(account)).length, 3);
    });

    test('remaining chunks are accepted for ten minutes after the session, and never for another session', async () => {
      const { account, owner, device } = await fixture();
      await using _device = device;
      const { opened, grant } = await openWith(owner, device, { video: true });
      const operator = joinRelay(opened);
      await operator.paired;
      const uploader = createChunkUploader(service, grant);
      assert.equal((await uploader.send('during')).http, 204);
      operator.socket.close(1_000);
      await eventually(
        () => findLastVideo(owner),
        (last) => last?.stop !== undefined,
      );

      const { grant: next } = await openWith(owner, device, { video: true });
      service.advance(599);
      const soon = await uploader.send('soon after');
      service.advance(1);
      const late = await uploader.send('too late');
      const repeated = await uploader.again({ number: 1 });
      const elsewhere = await uploader.again({ path: new URL(next.record!.url).pathname, number: 0 });

      assert.deepEqual([soon.http, late.http, repeated.http, elsewhere.http], [204, 404, 404, 404]);
      assert.equal((await lying(account)).length, 2);
    });

    test('what the device encrypted is decrypted by the player of anyone who may see it, and is stored encrypted', async () => {
      const { account, owner, device } = await fixture();
      await using _device = device;
      const canary = 'canary of the recorded picture';
      const frame = encodeRecordedFrame({ at: 7, kind: 'chat', payload: new TextEncoder().encode(canary) });
      const { path, video, session } = await recorded(owner, device, [
        Buffer.from(frame).toString('latin1'),
        '',
      ]);

      const answer = await indexAt(path);
      const index = recordingIndex.parse(JSON.parse(answer.text));
      const chunks = openChunkReader(
        toTimeline(index),
        async ({ take, number }) =>
          Uint8Array.from(
            (
              await service.testClient.send({
                path: `${path.replace('/r/', '/recording/')}/${take}/${number}`,
              })
            ).bytes,
          ).buffer,
      );

      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.deepEqual([index.session, index.operator, index.takes.length], [session, owner.email, 1]);
      assert.equal(index.takes[0]!.complete, true);
      const [read] = await chunks.frames(0);
      assert.deepEqual([read!.at, new TextDecoder().decode(read!.payload)], [7, canary]);
      assert.deepEqual(await chunks.frames(1), []);
      const contents = await bytesLying(account);
      assert.equal(
        contents.reduce((sum, { length }) => sum + length, 0),
        video.size,
      );
      assert.ok(contents.every((bytes) => !bytes.includes(canary)));
      if (isBucket) return;
      const folder = join(service.folder, 'recordings');
      const modes = [
        String(account.id),
        ...(await lying(account)).map((key) => join(String(account.id), key)),
      ].map((name) => statSync(join(folder, name)).mode & 0o777);
      assert.deepEqual([statSync(folder).mode & 0o777, ...modes], [0o700, 0o700, 0o600, 0o600]);
    });

    test('an operator who reconnects after a cut adds a take to the same recording', async () => {
      const { owner, device } = await fixture();
      await using _device = device;
      const { opened, grant } = await openWith(owner, device, { video: true });
      const operator = joinRelay(opened);
      await operator.paired;
      await eventually(
        () => findLastVideo(owner),
        (last) => last?.id === opened.session,
      );
      await createChunkUploader(service, grant).send('before the cut');
      operator.socket.terminate();

      const { session, secret } = opened;
      const resumed = await postToSession(service, 'resume', { session, secret, key: randomKey() });
      const again = device.grants.at(-1)!;
      await createChunkUploader(service, again).send('after the cut', { last: true });

      assert.equal(resumed.http, 200);
      assert.notEqual(again.record!.url, grant.record!.url);
      const { video } = await findLastVideo(owner);
      const index = recordingIndex.parse(JSON.parse((await indexAt(new URL(video!.url).pathname)).text));
      assert.deepEqual(
        index.takes.map(({ complete, chunks }) => [complete, chunks.length]),
        [
          [false, 1],
          [true, 1],
        ],
      );
    });

    test('beyond the plan nothing more is stored, and a session that must be recorded does not open', async () => {
      const { account, owner, device } = await fixture();
      await using _device = device;
      const plan = (recordingMb: number | null) =>
        must(service.server.store, 'plan/set', { accountId: account.id, plan: { recordingMb } });
      const { grant } = await openWith(owner, device, { video: true });
      const uploader = createChunkUploader(service, grant);
      await plan(1);
      const full = 'x'.repeat(1_048_576 - 16);
      assert.equal((await uploader.send(`${full}y`)).http, 402);
      assert.deepEqual(await lying(account), []);
      assert.equal((await uploader.again({ body: Buffer.from(full) })).http, 204);
      await plan(0);

      const demanded = await postToSession(service, 'open', {
        code: linkCode(await link(owner, device.id, { video: true })),
        key: randomKey(),
      });
      await owner.call('account/update', { record: true });
      const bySetting = await postToSession(service, 'open', {
        code: linkCode(await link(owner, device.id)),
        key: randomKey(),
      });
      const without = await openWith(owner, device, { video: false });

      assert.deepEqual(
        [readRefusal(demanded), readRefusal(bySetting)],
        [
          [409, 'refused'],
          [409, 'refused'],
        ],
      );
      assert.match(demanded.text, /recording storage of the account is full/);
      assert.equal(without.opened.record, false);
      await plan(null);
      assert.equal((await openWith(owner, device)).opened.record, true);
    });

    test('members play, list and remove recordings by separate permissions, and nobody else can', async () => {
      const { account, owner, device } = await fixture();
      await using _device = device;
      const { session, path } = await recorded(owner, device);
      const on = (permissions: string[]) =>
        account.member([{ type: 'agent', agentId: device.id, permissions: permissions as never }]);
      const [viewer, remover, operator] = [
        await on(['agent_sessions']),
        await on(['agent_remove_video']),
        await on(['agent_connect', 'agent_control']),
      ];
      const outsider = (await service.account()).owner;
      const seenBy = async (person: TestPerson) =>
        (await person.call('history/list', { agent_id: device.id })).body['data']?.[0]?.video?.url as
          | string
          | undefined;
      const forMember = (member: number) => path.replace(/\.\d+\./, `.${member}.`);

      const urls = await Promise.all([owner, viewer, remover, operator, outsider].map(seenBy));
      assert.deepEqual(
        urls.map((url) => url !== undefined),
        [true, true, false, false, false],
      );
      assert.equal((await indexAt(path)).http, 200);
      assert.equal((await indexAt(new URL(urls[1]!).pathname)).http, 200);
      assert.notEqual(urls[0], urls[1]);
      for (const { id } of [viewer, remover, operator, outsider])
        assert.equal(
          (await indexAt(forMember(id))).http,
          404,
          'an address made for another is worth nothing',
        );
      assert.equal((await service.testClient.send({ path: '/v1/history/list' })).http, 403);

      const removing = async (person: TestPerson) =>
        (await person.call('history/video/remove', { id: session })).body.status;
      assert.deepEqual(
        [await removing(viewer), await removing(operator), await removing(outsider)],
        [forbidden, forbidden, notFound],
      );
      assert.equal((await lying(account)).length, 2);
      assert.equal(await removing(remover), 0);
      assert.deepEqual(await lying(account), []);
      assert.equal((await indexAt(path)).http, 404);
      assert.equal(await removing(remover), notFound);
      const [line] = (await owner.call('audit/list', { operation: 'history/video/remove', limit: 3 })).body[
        'data'
      ].filter((each: { outcome: string }) => each.outcome === 'done');
      assert.deepEqual([line.email, line.input], [remover.email, { id: session }]);
    });

    test('an address stops working when the right to see the recording, or the person, is removed', async () => {
      const { account, owner, device } = await fixture();
      await using _device = device;
      await recorded(owner, device);
      const viewer = await account.member();
      const on = { type: 'agent', agentId: device.id, permissions: ['agent_sessions'] } as const;
      const { roleId } = await account.grant(viewer, on);
      const { url } = (await findLastVideo(viewer)).video!;
      const http = async () => (await indexAt(new URL(url).pathname)).http;

      assert.equal(await http(), 200);
      await owner.call('team/role/remove', { id: roleId });
      assert.equal(await http(), 404);
      await account.grant(viewer, on);
      assert.equal(await http(), 200);
      await owner.call('team/member/remove', { email: viewer.email });
      assert.equal(await http(), 404);
    });

    test('for an invitation the quick-support permissions decide', async () => {
      const account = await service.account();
      const support = (permissions: string[]) =>
        account.member([{ type: 'quick_support', permissions: permissions as never }]);
      const [ann, bob, eve, rex] = [
        await account.member(),
        await support(['quick_support_technical']),
        await support(['quick_support_admin', 'agent_remove_video']),
        await support(['quick_support_technical', 'agent_remove_video']),
      ];
      const ownRight = {
        type: 'quick_support',
        permissions: ['quick_support_admin', 'agent_connect'],
      } as const;
      const { roleId } = await account.grant(ann, ownRight);
      const { id, invite_code } = (await ann.call('support/create', { client_name: 'Zoë' })).body['data'];
      await using client = await joinLobby(service.testClient.baseUrl, invite_code, { os: 'win' });
      const { body } = await ann.call('support/connect', { connection_id: id, video: true });
      const opened = await openSessionLink(service, body['data'].url);
      const dispatched = await client.waitFor('session');
      await using operator = joinRelay(opened);
      await using clientPeer = joinRelay(dispatched);
      await Promise.all([operator.paired, clientPeer.paired]);
      await eventually(
        () => findLastVideo(ann),
        (last) => last?.id === opened.session,
      );
      await createChunkUploader(service, parseGrant(dispatched.grant)).send('help', { last: true });
      const running = await rex.call('history/video/remove', { id: opened.session });
      operator.socket.close(1_000);
      await eventually(
        () => findLastVideo(ann),
        ({ stop }) => stop !== undefined,
      );

      const urls = await Promise.all(
        [account.owner, ann, bob, eve].map(async (each) => (await findLastVideo(each))?.video?.url),
      );
      const nameAt = async (url: string) =>
        recordingIndex.parse(JSON.parse((await indexAt(new URL(url).pathname)).text)).name;
      const removing = async (person: TestPerson) =>
        (await person.call('history/video/remove', { id: opened.session })).body.status;

      assert.deepEqual([running.http, running.body.error?.code], [400, 'session_runs']);
      assert.deepEqual(
        urls.map((url) => url !== undefined),
        [true, true, true, false],
      );
      assert.deepEqual([await nameAt(urls[0]!), await nameAt(urls[1]!)], ['Zoë', 'Quick support']);
      await account.owner.call('team/role/remove', { id: roleId });
      assert.equal((await indexAt(new URL(urls[1]!).pathname)).http, 404);
      await account.grant(ann, ownRight);
      assert.equal((await indexAt(new URL(urls[1]!).pathname)).http, 200);
      assert.deepEqual(
        [await removing(ann), await removing(bob), await removing(eve), await removing(rex)],
        [forbidden, forbidden, notFound, 0],
      );
      assert.equal((await indexAt(new URL(urls[1]!).pathname)).http, 404);
    });

    test('ten thousand guessed addresses lead nowhere, and guessing is slowed down', async () => {
      const { owner, device } = await fixture();
      await using _device = device;
      const { session, path } = await recorded(owner, device);
      const { store } = service.server;
      const guess = (): string =>
        `${session}.${owner.id}.${randomBytes(17).toString('base64url').slice(0, 22)}`;
      const right = path.slice('/r/'.length);
      assert.ok(await findVisibleRecording(right, { store, hmacOf }));

      let hits = 0;
      for (let count = 0; count < 10_000; count++)
        if (await findVisibleRecording(guess(), { store, hmacOf })) hits++;
      const flipped = [...right].map(
        (letter, at) => right.slice(0, at) + (letter === 'x' ? 'y' : 'x') + right.slice(at + 1),
      );
      for (const text of flipped) if (await findVisibleRecording(text, { store, hmacOf })) hits++;
      const pages = await Promise.all(
        [right, guess(), '1', '..'].map((token) => service.testClient.send({ path: `/r/${token}` })),
      );

      assert.equal((await indexAt(path)).http, 200);
      assert.equal(hits, 0);
      assert.equal(new Set(pages.map(({ http, text }) => `${http} ${text}`)).size, 1);
      const policy = String(pages[0]!.headers['content-security-policy']);
      for (const part of ["default-src 'none'", "connect-src 'self';", "frame-ancestors 'none'"])
        assert.ok(policy.includes(part), policy);
      assert.ok(service.logged.every((line) => !line.includes(right)));
    });

    test('recordings are removed when their retention is over, and unreferenced bytes are swept', async () => {
      const { account, owner, device } = await fixture();
      await using _device = device;
      const { path } = await recorded(owner, device);
      const { store } = service.server;
      const blobs = await openRecordings(3);
      const crashed = await openRecordings();
      await crashed.put(account.id, Readable.from([Buffer.from('left by a crash')]));
      assert.equal((await lying(account)).length, 3);

      await sweepRecordings(store, blobs);
      assert.equal((await lying(account)).length, 2);
      service.advance(90 * day);
      await removeOldRecordings(store, blobs, 90);
      assert.equal((await indexAt(path)).http, 200);
      service.advance(1);
      await removeOldRecordings(store, blobs, 0);
      assert.equal((await indexAt(path)).http, 200);
      await removeOldRecordings(store, blobs, 90);

      assert.equal((await indexAt(path)).http, 404);
      assert.deepEqual(await lying(account), []);
      const past = await findLastVideo(owner);
      assert.deepEqual([past.video, past.id > 0], [undefined, true]);
    });

    test('after a hundred attempts an address has to wait', async () => {
      await using other = await startService({ database: kind });
      const answers: number[] = [];
      for (let count = 0; count < 100; count++)
        answers.push((await other.testClient.send({ path: `/recording/1.1.${'a'.repeat(22)}` })).http);

      assert.equal(answers[0], 404);
      assert.ok(answers.filter((http) => http === 429).length > 70);
    });
  });
