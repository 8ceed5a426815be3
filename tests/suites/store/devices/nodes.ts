/** Part of the store's suite: the servers that share a database, their keys, and what a jump of the clock means. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import { must } from '../../../kit/server/account.ts';
import { arrival, openAccount, unique, type StoreFixture } from '../fixture.ts';

const day = 86_400;

export function nodesSuite(fixture: () => StoreFixture): void {
  test('nodes share keys, get a new one every day, and keep the one before', async () => {
    const { store, advance } = fixture();
    const fetch = async () => (await must(store, 'bus/keys', { fresh: unique() })).keys;
    const first = await fetch();
    const again = await fetch();
    advance(day + 1);
    const later = await fetch();
    advance(day + 1);
    const last = await fetch();

    assert.ok(first.length > 0);
    assert.deepEqual(again, first);
    assert.deepEqual(later.slice(0, -1), first);
    assert.equal(last.length, 2);
    assert.deepEqual(last[0], later.at(-1));
  });

  test('a node that joins learns of those that are alive, until they leave or fall silent', async () => {
    const { store, advance } = fixture();
    const [one, two, three] = [unique(), unique(), unique()];
    const join = async (id: string, hasBus = true) => {
      const shared = { certificate: id };
      const { others } = await must(store, 'nodes/join', {
        id,
        hasBus,
        shared,
        aliveUntil: store.now() + 20,
      });
      return others.filter((other) => [one, two, three].includes(other.id));
    };
    const alone = await join(one, false);
    const second = await join(two);
    const again = await join(two);
    advance(15);
    const endpoint = { address: '10.0.0.2:8443', certificate: 'c' };
    const asTwo = { id: two, hasBus: true, shared: { certificate: two }, endpoint };
    const beforeSilence = await must(store, 'nodes/alive', { ...asTwo, aliveUntil: store.now() + 20 });
    advance(10);
    const known = await must(store, 'nodes/alive', { ...asTwo, aliveUntil: store.now() + 20 });
    const afterSilence = await join(three);
    await must(store, 'nodes/leave', { id: two });
    const afterLeaving = await join(three);

    const asOne = { id: one, hasBus: false, shared: { certificate: one } };
    const ownOf = ({ others }: typeof known) => others.filter(({ id }) => id === one);
    assert.deepEqual([ownOf(beforeSilence), ownOf(known)], [[asOne], []]);
    assert.deepEqual([alone, second, again], [[], [asOne], [asOne]]);
    assert.deepEqual([afterSilence, afterLeaving], [[asTwo], []]);
  });

  test('a name belongs to one start of a node, until another replaces the entry that it knows', async () => {
    const { store, advance } = fixture();
    const id = unique();
    const as = (start: string) => ({
      id,
      hasBus: true,
      shared: { start },
      aliveUntil: store.now() + 20,
    });
    const entryOf = async (start: string) => (await must(store, 'nodes/alive', as(start))).entry;
    const join = async (start: string, replaces?: number) =>
      (await must(store, 'nodes/join', { ...as(start), replaces })).takenUntil;
    const [first, again] = [await join('one'), await join('one')];
    const until = store.now() + 20;
    const refused = await join('two');
    advance(1);
    const renewed = await entryOf('one');
    const late = await join('two', until);
    const replaced = await join('two', until + 1);
    const entries = [renewed, await entryOf('one'), await entryOf('two')];
    await must(store, 'nodes/leave', { id });
    const afterRemoval = [await entryOf('one'), await entryOf('one')];
    advance(20);
    const afterSilence = await join('three');

    assert.deepEqual([first, again], [undefined, undefined]);
    assert.deepEqual([refused, late, replaced], [until, until + 1, undefined]);
    assert.deepEqual(entries, ['kept', 'taken', 'kept']);
    assert.deepEqual(afterRemoval, ['removed', 'kept']);
    assert.equal(afterSilence, undefined);
  });

  test('when the clock of the machine jumps, devices that were online stay online', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const [{ id: here }, { id: gone }] = [await account.agent(), await account.agent()];
    const renew = (id: number, leaseUntil: number) =>
      must(store, 'presence/renew', { node: unique(), agents: [{ id }], leaseUntil });
    await renew(here, store.now() + 30);
    await renew(gone, store.now());
    const online = async () => (await store.agents.online(accountId, store.now())).map(({ id }) => id);

    await must(store, 'server/clock-jump', { seconds: 3_600 });
    advance(3_600);
    const after = await online();
    advance(31);

    assert.deepEqual([after, await online()], [[here], []]);
  });

  test('the latest arrival of a device is known by its epoch, whether or not the device has stored it', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const { id } = await account.agent();
    const arrive = (epoch: string) =>
      must(store, 'devices/arrive', { accountId, id, presented: '', epoch, uplinkVersion: 3, ...arrival });
    const epochOf = async () => (await store.deviceIdentity.standings([id]))[0]?.epoch;
    await arrive('first');
    const arrived = await epochOf();
    await must(store, 'devices/kept', { accountId, id, epoch: 'first' });
    const kept = await epochOf();
    await arrive('second');

    assert.deepEqual([arrived, kept, await epochOf()], ['first', 'first', 'second']);
    assert.deepEqual(await store.deviceIdentity.standings([]), []);
  });

  test('a link that was returned can be used once more', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const digest = await account.link();
    const use = async () => !isFault(await store.change('links/consume', { digest }));
    const first = [await use(), await use()];
    await must(store, 'links/return', { digest });

    assert.deepEqual([first, await use(), await use()], [[true, false], true, false]);
  });
}
