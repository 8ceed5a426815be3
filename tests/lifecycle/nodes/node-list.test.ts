/** What a server tells the others on its database about itself, and what it logs when it cannot. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMemoryBus } from '@drawbridge/server/bus/memory';
import { joinNodes } from '@drawbridge/server/compose/nodes/join-nodes';
import type { Config } from '@drawbridge/server/config/config';
import { createSecretBox } from '@drawbridge/server/store/secrets/secret-box';
import { eventually } from '../../kit/eventually.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openTestStore } from '../../suites/store/test-store.ts';

const skip = skipWithout('PostgreSQL');

/** What joins nodes on one store, with everything that they have logged. */
async function openStoreOfNodes() {
  const opened = await openTestStore('postgres');
  const { store, place } = opened;
  const bus = createMemoryBus();
  const logged: string[] = [];
  const log = { info() {}, error: (_: object, text: string) => void logged.push(text) } as never;
  const enter = async (name: string, onOthers = async (): Promise<void> => {}) => {
    const [files, recordings] = ['files', 'recordings'].map((part) => join(place.folder, part));
    const folders = { data: join(place.folder, name), files, recordings };
    const config = {
      ...folders,
      bus: {},
      publicUrl: 'https://localhost',
      listen: { port: 443 },
    } as unknown as Config;
    const deps = {
      store,
      bus,
      secrets: createSecretBox([]),
      log,
      trustedKey: () => '',
      onOthers,
      onUnfit() {},
    };
    return (await joinNodes(config, deps))!;
  };
  return { enter, logged, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

test('the others know a certificate as soon as the server has loaded it', { skip }, async () => {
  await using nodes = await openStoreOfNodes();
  const [one, other] = [await nodes.enter('one'), await nodes.enter('other')];
  let certificate = 'old';
  await one.announce(() => ({ address: '127.0.0.1:1', certificate, relayUrl: undefined }));
  const seen = async () => (await other.find(one.id))?.certificate;
  assert.equal(await seen(), 'old');

  certificate = 'new';
  await one.refresh();

  await eventually(seen, (found) => found === 'new', 2_000);
  await one.leave();
  await other.leave();
});

test(
  'a reason for which a server cannot renew what it knows of the others is logged once',
  { skip },
  async () => {
    await using nodes = await openStoreOfNodes();
    let fails = false;
    const one = await nodes.enter('one', async () => {
      if (fails) throw new Error('the secrets cannot be sealed');
    });
    fails = true;

    await one.refresh();
    await one.refresh();

    assert.deepEqual(nodes.logged, ['the entry of this server could not be renewed; trying again']);
    await one.leave();
  },
);
