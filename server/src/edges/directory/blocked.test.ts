/** Directories at addresses that the server does not connect to are refused before a connection, whatever is there. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { readDirectory } from './read-directory.ts';
import { verifyDirectoryPassword } from './verify-password.ts';

const connectionTo = (url: string) => ({
  name: 'd',
  url,
  ca: '',
  base: 'dc=example',
  adopt: false,
  signIn: true,
  everyMinutes: 0,
  removalPercent: 20,
  bindDn: 'cn=reader',
  bindPassword: 'secret',
  personFilter: '(objectClass=person)',
  groupFilter: '(objectClass=group)',
});

test('loopback and link-local addresses are not connected to, as addresses or behind a name', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '169.254.169.254'];
  const urls = hosts.flatMap((host) => [`ldaps://${host}:${port}`, `ldap://${host}:${port}`]);

  const readings = await Promise.all(
    urls.map((url) => readDirectory(connectionTo(url), 0, { allowLoopback: false })),
  );
  const password = await verifyDirectoryPassword(
    connectionTo(urls[0]!),
    { directoryId: 1, uid: 'a', password: 'secret' },
    { now: 0, allowLoopback: false },
  );
  const before = connections;
  const allowed = await readDirectory(connectionTo(`ldaps://localhost:${port}`), 0, { allowLoopback: true });

  assert.deepEqual(
    readings,
    urls.map(() => ({ failure: 'address' })),
  );
  assert.deepEqual([password, before], ['unavailable', 0]);
  assert.notDeepEqual(allowed, { failure: 'address' });
  assert.equal(connections, 1);
});
