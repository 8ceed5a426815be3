/** Pictures of brands in a real object storage: where they are, how they get there and back, on both databases. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runAdmin } from '@drawbridge/server/admin/run';
import { openBlobStores } from '@drawbridge/server/compose/blob-stores';
import { toObjectStorage } from '@drawbridge/server/domain/object-storage';
import { movePictures } from '@drawbridge/server/jobs/move-pictures';
import { sweepPictures } from '@drawbridge/server/jobs/sweep-files';
import { openBucket } from '@drawbridge/server/store/blobs/object-bucket';
import { cookieName } from '@drawbridge/server/panel/sign-in/cookie';
import { migrations } from '@drawbridge/server/store/engine/migrate';
import { storedPictures } from '@drawbridge/server/store/engine/migrations/0029-stored-pictures';
import type { TestAccount, TestPerson } from '../../kit/server/account.ts';
import { databases } from '../../kit/server/database.ts';
import { createPanelSession } from '../../kit/server/panel.ts';
import { runSql } from '../../kit/server/raw-sql.ts';
import { eventually } from '../../kit/eventually.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { startObjectStorage, type TestObjectStorage } from '../../kit/storage/object-storage.ts';
import { pngOf } from '../../kit/display/logo.ts';

const migration = migrations.indexOf(storedPictures) + 1;

for (const { kind, skip } of databases)
  describe(`pictures of brands in an object storage, on ${kind}`, { skip }, () => {
    let storage: TestObjectStorage;
    let service: TestService;
    before(async () => {
      storage = await startObjectStorage();
      service = await startService({ database: kind, cluster: false, realTime: true }); // the clock of the storage
    });
    after(async () => {
      await service[Symbol.asyncDispose]();
      await storage[Symbol.asyncDispose]();
    });

    const setLogo = (person: TestPerson, grey: number) => person.call('branding/logo', {}, pngOf(8, 8, grey));
    /** The code of the answer, and whether it is that picture. */
    const shown = async (url: unknown, grey: number) => {
      const { http, bytes } = await service.testClient.send({ path: new URL(url as string).pathname });
      return [http, bytes.equals(pngOf(8, 8, grey))];
    };
    const places = async (accountId: number) => {
      const { bytes, blobKey } = (await service.server.store.brands.logoOf(accountId))!;
      return { database: bytes.length > 0, storage: blobKey !== '' };
    };
    const stored = async (accountId: number, prefix: string): Promise<number> => {
      const bucket = openBucket(toObjectStorage(storage.urlOf(prefix))!);
      return (await bucket.list(`${prefix}/pictures/${accountId}/`, '', 10)).length;
    };
    /** Starts the server again, with the object storage or without. */
    const restart = async (prefix: string | undefined): Promise<void> => {
      const file = join(service.folder, 'drawbridge.toml');
      if (prefix === undefined) rmSync(file, { force: true });
      else writeFileSync(file, `object_storage = '${storage.urlOf(prefix)}'`);
      await service.restart();
    };
    async function type(args: string[], prefix?: string) {
      let printed = '';
      const { database } = service.server.config;
      const exit = await runAdmin([...args, '--json'], {
        env: {
          DRAWBRIDGE_DATA: service.folder,
          ...(database !== undefined && { DRAWBRIDGE_DATABASE: database }),
          ...(prefix !== undefined && { DRAWBRIDGE_OBJECT_STORAGE: storage.urlOf(prefix) }),
        },
        folder: service.folder,
        out: (text) => void (printed += text),
        err: () => {},
      });
      return { exit, printed: JSON.parse(printed) };
    }
    const copy = async (to: string, prefix: string) =>
      (await type(['storage', 'copy', '--to', to], prefix)).printed;

    test('a picture is stored there, served from there, and removed with the one that replaces it', async () => {
      await restart('new');
      const { owner, id } = await service.account();

      const { logo } = (await setLogo(owner, 1)).body;
      const first = [await shown(logo, 1), await places(id), await stored(id, 'new')];
      const { logo: replaced } = (await setLogo(owner, 2)).body;
      const second = [await shown(replaced, 2), (await shown(logo, 1))[0], await stored(id, 'new')];
      await owner.call('branding/logo/remove');

      assert.deepEqual(first, [[200, true], { database: false, storage: true }, 1]);
      assert.deepEqual(second, [[200, true], 404, 1]);
      assert.deepEqual([(await shown(replaced, 2))[0], await stored(id, 'new')], [404, 0]);
    });

    test('while the storage does not respond, only pictures that were read before are shown', async () => {
      await restart('away');
      const [one, two] = [await service.account(), await service.account()];
      const { logo: read } = (await setLogo(one.owner, 3)).body;
      const { logo: unread } = (await setLogo(two.owner, 4)).body;
      await shown(read, 3);

      await storage.stop();
      const refused = await setLogo(one.owner, 5);
      const kept = [await shown(read, 3), (await shown(unread, 4))[0]];
      const removed = await one.owner.call('branding/logo/remove');
      await storage.start();

      assert.deepEqual([refused.http, kept], [503, [[200, true], 503]]);
      assert.deepEqual(await shown(unread, 4), [200, true]);
      assert.deepEqual([removed.http, (await shown(read, 3))[0]], [200, 404]);
    });

    test('the panel is installed with such a picture, and with our own while the storage does not respond', async () => {
      await restart('icon');
      const [one, two] = [await service.account(), await service.account()];
      for (const [account, grey] of [
        [one, 8],
        [two, 9],
      ] as const)
        await account.owner.call('branding/logo', {}, pngOf(192, 192, grey));
      const iconOf = async (account: TestAccount) => {
        const cookie = await createPanelSession(service, account, account.owner);
        const headers = { cookie: `${cookieName}=${cookie}` };
        const { text } = await service.testClient.send({ path: '/manifest.webmanifest', headers });
        return (JSON.parse(text) as { icons: { src: string }[] }).icons[0]!.src;
      };

      const shownIcon = await iconOf(one);
      await storage.stop();
      const ownIcon = await iconOf(two);
      await storage.start();

      assert.match(shownIcon, /^\/brand\//);
      assert.match(ownIcon, /^\/static\//);
    });

    test('pictures of the database are copied, then moved by the server, and copied back', async () => {
      await restart(undefined);
      const { owner, id } = await service.account();
      const { logo } = (await setLogo(owner, 6)).body;
      const seen: unknown[] = [];
      const look = async () => void seen.push([await shown(logo, 6), await places(id)]);

      await look();
      const first = await copy('object-storage', 'moved');
      const second = await copy('object-storage', 'moved');
      await look();
      await restart('moved');
      await eventually(
        () => places(id),
        ({ database }) => !database,
      );
      await look();
      await restart(undefined);
      await look();
      const { checks } = (await type(['doctor'])).printed;
      const back = await copy('folders', 'moved');
      await look();

      assert.deepEqual(seen, [
        [[200, true], { database: true, storage: false }],
        [[200, true], { database: true, storage: true }],
        [[200, true], { database: false, storage: true }],
        [[404, false], { database: false, storage: true }],
        [[200, true], { database: true, storage: true }],
      ]);
      assert.deepEqual([first.copied, second.copied, second.present, back.copied], [1, 0, 1, 1]);
      const finding = checks.find(({ name }: { name: string }) => name === 'pictures');
      assert.match(finding.says, /object storage.*storage copy --to folders/);
    });

    test('pictures stay in the database while a server may run that looks only there', async () => {
      await restart('older');
      const { owner, id } = await service.account();
      await runSql(service, `update migration set contracted = 0 where number = ${migration}`);

      const { logo } = (await setLogo(owner, 7)).body;
      const { store } = service.server;
      const pictures = (await openBlobStores(service.server.config, store)).pictures!;
      await movePictures(store, pictures);
      const kept = [await shown(logo, 7), await places(id)];
      await runSql(service, `update migration set contracted = 1 where number = ${migration}`);
      await movePictures(store, pictures);

      assert.deepEqual(kept, [[200, true], { database: true, storage: false }]);
      assert.deepEqual(
        [await shown(logo, 7), await places(id)],
        [[200, true], { database: false, storage: true }],
      );

      // An older server replaces the picture of the row, and knows nothing of the stored one.
      const other = pngOf(8, 8, 8);
      const inRow = `update brand set logo = '${other.toString('base64')}' where account_id = ${id}`;
      await runSql(service, inRow);
      await movePictures(store, pictures);

      const now = (await store.brands.logoOf(id))!;
      assert.deepEqual([now.bytes.length, await pictures.read(now)], [0, other]);
      const bucket = openBucket(toObjectStorage(storage.urlOf('older'))!);
      const blobs = {
        ...pictures.blobs,
        // Also those that were stored a moment ago.
        async *settled(accountId: number) {
          const objects = await bucket.list(`older/pictures/${accountId}/`, '', 10);
          yield objects.map(({ name }) => name.split('/').at(-1)!);
        },
      };
      assert.deepEqual([await sweepPictures(store, blobs), await stored(id, 'older')], [1, 1]);
      assert.deepEqual(await pictures.read(now), other);
    });
  });
