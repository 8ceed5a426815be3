/**
 * Who is online when the store fails for a moment: devices that left do not stay online, and devices that
 * came are not forgotten.
 */
import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { createPresence, type Presence } from '@drawbridge/server/gateway/devices/presence';
import type { ChangeName } from '@drawbridge/server/store/changes';
import type { Store } from '@drawbridge/server/store/store';
import { must } from '../kit/server/account.ts';
import { databases, type DatabaseKind } from '../kit/server/database.ts';
import { eventually } from '../kit/eventually.ts';
import { openAccount } from '../suites/store/fixture.ts';
import { openTestStore } from '../suites/store/test-store.ts';

const node = 'this';

interface Failing extends Store {
  /** Makes the next change of this name fail; `known` resolves when that has happened. */
  fail(name: ChangeName, known?: Promise<void>): void;
  failed: string[];
}

function failing(store: Store): Failing {
  let next: { name: ChangeName; known: Promise<void> } | undefined;
  const failed: string[] = [];
  return {
    ...store,
    failed,
    fail: (name, known = Promise.resolve()) => void (next = { name, known }),
    async change(name, input, line) {
      if (name !== next?.name) return store.change(name, input, line);
      const { known } = next;
      next = undefined;
      failed.push(name);
      await known;
      throw new Error('the store is away');
    },
  };
}

/** A node whose devices connect and disconnect as the test says. */
async function openNode(kind: DatabaseKind) {
  const opened = await openTestStore(kind);
  const account = await openAccount(opened.store);
  const store = failing(opened.store);
  const here = new Set<number>();
  const presence: Presence = createPresence(
    { store, node, log: { error() {} } },
    {
      online: () => here,
      keepCurrent: async (ids) => ids,
      onUnlinked() {},
    },
  );
  return {
    store,
    account,
    async device(): Promise<number> {
      return (await account.agent()).id;
    },
    arrive(id: number): void {
      here.add(id);
      presence.arrived(id);
    },
    leave(id: number): void {
      here.delete(id);
      presence.left(id);
    },
    /** Resolves when exactly these are online. */
    online: (...ids: number[]) =>
      eventually(
        async () => (await store.agents.online(account.accountId, store.now())).map((each) => each.id).join(),
        (all) => all === ids.join(),
      ),
    async [Symbol.asyncDispose]() {
      await presence.close();
      await opened[Symbol.asyncDispose]();
    },
  };
}

for (const { kind, skip } of databases)
  describe(`presence on ${kind}`, { skip }, () => {
    test('a device whose disconnection could not be stored is offline a moment later', async () => {
      await using fixture = await openNode(kind);
      const id = await fixture.device();
      fixture.arrive(id);
      await fixture.online(id);

      fixture.store.fail('presence/end');
      fixture.leave(id);
      await fixture.online();

      assert.deepEqual(fixture.store.failed, ['presence/end']);
    });

    test('a device whose connection could not be stored is online a moment later', async () => {
      await using fixture = await openNode(kind);
      const id = await fixture.device();

      fixture.store.fail('presence/renew');
      fixture.arrive(id);
      await fixture.online(id);

      assert.deepEqual(fixture.store.failed, ['presence/renew']);
    });

    test('a device that is back before its failed disconnection is noticed stays online', async () => {
      await using fixture = await openNode(kind);
      const [back, other] = [await fixture.device(), await fixture.device()];
      fixture.arrive(back);
      await fixture.online(back);

      const known = Promise.withResolvers<void>();
      fixture.store.fail('presence/end', known.promise);
      fixture.leave(back);
      await eventually(
        () => fixture.store.failed.length,
        (count) => count === 1,
      );
      fixture.arrive(back);
      known.resolve();
      fixture.arrive(other);
      await fixture.online(back, other);
      fixture.leave(other);

      await fixture.online(back);
    });

    test('renewing leases ends those of devices that are not here, and restores missing ones', async () => {
      mock.timers.enable({ apis: ['setInterval'] });
      try {
        await using fixture = await openNode(kind);
        const [stays, gone, lost] = [await fixture.device(), await fixture.device(), await fixture.device()];
        fixture.arrive(stays);
        fixture.arrive(lost);
        await fixture.online(stays, lost);
        const leaseUntil = fixture.store.now() + 30;
        await must(fixture.store, 'presence/renew', { node, agents: [{ id: gone }], leaseUntil });
        await must(fixture.store, 'presence/end', { node, ids: [lost] });
        await fixture.online(stays, gone);

        mock.timers.tick(10_000);

        await fixture.online(stays, lost);
      } finally {
        mock.timers.reset();
      }
    });
  });
