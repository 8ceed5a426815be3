/** Scheduled imports of many accounts: what is slow or broken in one account delays no other, and manual reads have a limit. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import type { DirectoryReading } from '@drawbridge/server/domain/people/directory-connection';
import { createDirectoryImporter } from '@drawbridge/server/jobs/import-directories';
import { eventually } from '../../kit/eventually.ts';
import { loopbackDirectories } from '../../kit/directory-account.ts';
import { isClusterRun } from '../../kit/nodes/cluster-run.ts';
import type { TestAccount } from '../../kit/server/account.ts';
import { startService } from '../../kit/server/service.ts';

/** What connects to a directory of the account that is imported every quarter of an hour. Its base tells them apart. */
const directory = (base: string, url: string) => ({
  name: base,
  url,
  base,
  bind_dn: 'cn=reader',
  bind_password: 'secret',
  every_minutes: 15,
});

const connect = async ({ owner }: TestAccount, base: string): Promise<void> => {
  const { http } = await owner.call(
    'team/directory/create',
    directory(base, 'ldaps://directory.example.com'),
  );
  assert.equal(http, 200);
};

test('one account with slow directories delays no other, and one that breaks ends no round', async () => {
  await using service = await startService();
  const { store } = service.server;
  const [slow, broken, ...others] = [
    await service.account(),
    await service.account(),
    await service.account(),
    await service.account(),
    await service.account(),
    await service.account(),
  ];
  for (let count = 0; count < 6; count++) await connect(slow, 'slow');
  await connect(broken, 'broken');
  for (const each of others) await connect(each, 'quick');
  const release = Promise.withResolvers<DirectoryReading>();
  const [failures, reads, running] = [[] as unknown[], [] as string[], { slow: 0, most: 0 }];
  const importer = createDirectoryImporter({
    store,
    async readDirectory({ base }) {
      reads.push(base);
      if (base === 'broken') throw new Error('a bug');
      if (base === 'quick') return { failure: 'no_uid' };
      running.slow += 1;
      running.most = Math.max(running.most, running.slow);
      const reading = await release.promise;
      running.slow -= 1;
      return reading;
    },
    onFailure: (error) => void failures.push(error),
  });
  const problemsOf = async ({ owner }: TestAccount): Promise<string[]> =>
    (await owner.call('team/directory/list')).body['data'].map(
      (each: { last_problem: string }) => each.last_problem,
    );

  service.advance(15 * 60);
  const round = importer.round();
  const isDone = (problems: string[][]): boolean => problems.every(([problem]) => problem === 'no_uid');
  await eventually(() => Promise.all(others.map(problemsOf)), isDone);
  const whileSlow = reads.filter((each) => each === 'slow').length;
  // Those that are due again do not wait for the slow ones either.
  service.advance(15 * 60);
  const later = importer.round();
  await eventually(
    () => reads.filter((each) => each === 'quick').length,
    (count) => count === 2 * others.length,
  );
  release.resolve({ failure: 'timeout' });
  await Promise.all([round, later]);

  assert.equal(whileSlow, 1);
  assert.equal(running.most, 1);
  assert.deepEqual(
    failures.map((error) => (error as Error).message),
    ['a bug', 'a bug'],
  );
  assert.deepEqual(await problemsOf(slow), Array(6).fill('timeout'));
});

const skipNodes = isClusterRun && 'each of several servers reads one directory of an account';
test(
  'people of an account have one directory read at a time, and cannot let many wait',
  { skip: skipNodes },
  async () => {
    await using service = await startService({ env: loopbackDirectories });
    const account = await service.account();
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.on('error', () => {})));
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    const { body } = await account.owner.call('team/directory/create', {
      ...directory('dc=a', `ldaps://127.0.0.1:${port}`),
      every_minutes: 0,
    });
    const read = (operation: 'plan' | 'run') =>
      account.owner.call(`team/directory/${operation}`, { id: body['id'] });

    const first = read('plan');
    await eventually(
      () => sockets.length,
      (count) => count === 1,
    );
    const waiting = Array.from({ length: 7 }, () => read('plan'));
    const refused = [await read('run'), await read('plan')];
    const whileReading = sockets.length;
    silent.close();
    sockets[0]!.destroy();
    const ended = [await first, ...(await Promise.all(waiting))];

    assert.equal(whileReading, 1);
    assert.deepEqual(
      refused.map(({ http, body: { error } }) => [http, error?.code]),
      refused.map(() => [400, 'too_many_reads']),
    );
    assert.deepEqual(
      ended.map(({ http }) => http),
      Array(8).fill(200),
    );
    const log = (await account.owner.call('audit/list', { operation: 'team/directory/run' })).body['data'];
    assert.equal(log[0].outcome, 'too_many_reads');
  },
);
