/** `doctor`: what it finds at relays in other regions. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createDeviceKey, signWith } from '@drawbridge/agent/uplink/keys';
import { createControlClient } from '@drawbridge/relay/control/control-client';
import { createRemoteRelay } from '@drawbridge/relay/control/remote-relay';
import { serverVersion } from '@drawbridge/server/edges/version';
import { loadIdentity } from '@drawbridge/server/gateway/devices/identity';
import { fingerprintOf } from '@drawbridge/server/tls/pins';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { eventually } from '../../kit/eventually.ts';
import { openRelayPort, type RelayPort } from '../../kit/nodes/relay-port.ts';
import { openAdminFixture, type AdminFixture } from './fixture.ts';

interface RelayOptions {
  /** The key of the server that it knows, if another than that of the fixture. */
  server?: string;
  version?: string;
  aheadSeconds?: number;
}

async function startRelay({
  server = serverKey,
  version = serverVersion,
  aheadSeconds = 0,
}: RelayOptions = {}) {
  const tls = await createSelfSigned(['localhost'], new Date());
  const key = createDeviceKey();
  const relay = createRemoteRelay({
    key: { publicKey: key.publicKey, sign: (statement) => signWith(key.privateKey, statement) },
    serverKeys: [server],
    certificate: () => fingerprintOf(tls.cert),
    now: () => Math.floor(Date.now() / 1_000) + aheadSeconds,
    version,
  });
  const port: RelayPort = await openRelayPort(relay, tls);
  return { ...port, key: key.publicKey };
}

let fixture: AdminFixture;
let serverKey: string;
before(async () => {
  fixture = await openAdminFixture('sqlite');
  await fixture.json('account', 'create', '--email', 'ann@example.com');
  const { out } = await fixture.type('relay', 'key', '--json');
  ({ key: serverKey } = JSON.parse(out) as { key: string });
});
after(() => fixture[Symbol.asyncDispose]());

/** The exit code, and what the doctor says about relays. */
async function examine(relays: Record<string, string>) {
  fixture.env['DRAWBRIDGE_RELAYS'] = Object.entries(relays)
    .map(([name, address]) => `${name}=${address}`)
    .join(',');
  const { exit, out } = await fixture.type('doctor', '--json');
  const { checks } = JSON.parse(out) as { checks: { name: string; state: string; says: string }[] };
  const findings = checks
    .filter(({ name }) => name.startsWith('relay'))
    .map(({ name, state, says }) => `${name} ${state}: ${says}`);
  return { exit, findings };
}

test('a relay that answers, has its key and knows the server passes, but for a certificate that nobody trusts', async () => {
  await using relay = await startRelay();

  const { exit, findings } = await examine({ oslo: `${relay.origin}#${relay.key}` });

  assert.equal(exit, 0);
  assert.equal(findings.length, 2, findings.join('\n'));
  assert.equal(findings[0], `relay oslo ok: ${relay.origin} has its key and knows this server.`);
  assert.match(findings[1]!, /^relay oslo warning: No authority that this machine trusts/);
});

test('a relay that is away, has another key or does not know the server is a problem with its own advice', async () => {
  await using relay = await startRelay();
  await using stranger = await startRelay({ server: 's'.repeat(43) });
  const otherKey = createDeviceKey().publicKey;

  const { exit, findings } = await examine({
    away: `wss://127.0.0.1:1#${otherKey}`,
    other: `${relay.origin}#${otherKey}`,
    strange: `${stranger.origin}#${stranger.key}`,
  });

  assert.equal(exit, 1);
  assert.equal(findings.length, 3, findings.join('\n'));
  assert.match(findings[0]!, /^relay away problem: .*ECONNREFUSED.* Check that it runs/);
  assert.match(findings[1]!, /^relay other problem: .*does not have the key .* Set DRAWBRIDGE_RELAYS/);
  assert.match(findings[2]!, /^relay strange problem: .*does not know the key .* DRAWBRIDGE_RELAY_SERVERS/);
});

test('another version is a warning, and a clock that would refuse tickets a problem', async () => {
  await using older = await startRelay({ version: '0.0.1' });
  await using late = await startRelay({ aheadSeconds: -100 });
  await using early = await startRelay({ aheadSeconds: 15 });

  const { exit, findings } = await examine({
    older: `${older.origin}#${older.key}`,
    late: `${late.origin}#${late.key}`,
    early: `${early.origin}#${early.key}`,
  });
  const amiss = findings.filter((text) => !/ ok: |No authority/.test(text));

  assert.equal(exit, 1);
  assert.equal(amiss.length, 3, findings.join('\n'));
  assert.match(amiss[0]!, /^relay older warning: It runs Drawbridge 0\.0\.1/);
  assert.match(amiss[1]!, /^relay late problem: Its clock is (99|10[01]) s behind/);
  assert.match(amiss[2]!, /^relay early warning: Its clock is 1[456] s ahead of/);
});

test('the connection of the running server to its relay stays while the doctor looks', async () => {
  await using relay = await startRelay();
  const [messages, downs]: [string[], string[]] = [[], []];
  const running = createControlClient({
    url: relay.origin,
    relayKey: relay.key,
    server: await fixture.store(loadIdentity),
    node: '', // as a server that is alone on its database
    introduce: () => ({ origin: 'https://localhost', pairs: [] }),
    onMessage: ({ kind }) => messages.push(kind),
    onDown: (why) => downs.push(why),
  });
  await eventually(
    () => messages,
    (kinds) => kinds.includes('welcome'),
  );
  const relays = { oslo: `${relay.origin}#${relay.key}` };
  const { findings } = await examine(relays);
  await examine(relays); // a connection that the first one ended is noticed meanwhile
  running.close();

  assert.match(findings[0]!, /^relay oslo ok: /);
  assert.deepEqual([messages, downs], [['welcome'], []]);
});
