/** Signing in with the password of a real LDAP server. */
import assert from 'node:assert/strict';
import { verifyDirectoryPassword } from '@drawbridge/server/edges/directory/verify-password';
import { after, before, beforeEach, describe, test } from 'node:test';
import { eventually } from '../kit/eventually.ts';
import { skipWithout } from '../kit/requirements.ts';
import { must } from '../kit/server/account.ts';
import { connectDirectory, directoryConnection, loopbackDirectories } from '../kit/directory-account.ts';
import { openPanelClient, setPassword, type PanelResponse } from '../kit/server/panel.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import {
  directoryBase,
  directoryReader,
  ldapGroup,
  ldapPerson,
  startSlapd,
  type LdapEntry,
  type Slapd,
} from '../kit/slapd.ts';

const directoryPassword = 'of the directory 1';
const localPassword = 'of drawbridge 12';

const company = (...people: LdapEntry[]): LdapEntry[] => [
  ...people,
  ldapGroup(
    'staff',
    people.map(({ cn }) => String(cn)),
  ),
];
const outcomeOf = ({ http, body }: PanelResponse): string => (http === 200 ? body['next'] : body.error!.code);

describe('signing in with the password of a directory', { skip: skipWithout('slapd') }, () => {
  let service: TestService;
  let slapd: Slapd;
  before(
    async () =>
      void ([service, slapd] = await Promise.all([
        startService({ env: { DRAWBRIDGE_TRUSTED_PROXIES: '127.0.0.1', ...loopbackDirectories } }),
        startSlapd(),
      ])),
  );
  after(async () => {
    await slapd[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });
  let round = 0;
  beforeEach(() => void (round += 1));

  /** A person of the directory with an address that no other test uses. */
  const entryOf = (name: string, more: Partial<Parameters<typeof ldapPerson>[0]> = {}): LdapEntry =>
    ldapPerson({ uid: `${name}${round}`, password: directoryPassword, ...more });
  const addressOf = (name: string): string => `${name}${round}@example.com`;

  async function imported(people: LdapEntry[], settings: Record<string, unknown> = {}) {
    await slapd.load(company(...people));
    const directory = await connectDirectory(service, slapd, {
      sign_in: true,
      removal_percent: 100,
      ...settings,
    });
    assert.equal((await directory.run()).problem, '');
    return directory;
  }

  let visits = 0;
  const from = (network: number): Record<string, string> => ({
    'x-forwarded-for': `10.${round}.${network}.1`,
    'x-forwarded-proto': 'https',
  });
  /** Each from another network, because guesses from one are limited. */
  const signIn = (email: string, password: string, browser = openPanelClient(service)) =>
    browser.ask('sign-in/password', { email, password }, from((visits += 1)));
  /** All of a test from the same network, which no other test uses. */
  const guess = (email: string, password: string) =>
    openPanelClient(service).ask('sign-in/password', { email, password }, from(0));

  test('somebody who was never invited signs in, confirms that it is them, and cannot set another password', async () => {
    const { account } = await imported([entryOf('ann'), entryOf('bob')]);
    const browser = openPanelClient(service);

    const wrong = await signIn(addressOf('ann'), 'something else 1');
    const right = await signIn(addressOf('ann'), directoryPassword, browser);
    const { data } = (await browser.ask('me')).body;
    browser.csrf = data.csrf;
    const changed = await browser.ask('me/password', { password: localPassword });
    const unconfirmed = await browser.ask('me/confirm', { password: 'something else 1' });
    const confirmed = await browser.ask('me/confirm', { password: directoryPassword });

    assert.deepEqual([wrong, right].map(outcomeOf), ['not_signed_in', 'done']);
    assert.deepEqual(
      [data.email, data.has_password, data.password_from_directory],
      [addressOf('ann'), true, true],
    );
    assert.deepEqual(
      [changed.body.error?.code, unconfirmed.http, confirmed.http],
      ['from_directory', 403, 200],
    );
    const { body } = await account.owner.call('team/member/list', { search: addressOf('ann') });
    assert.equal(body['data'][0].state, 'active');
    const lines = await account.owner.call('audit/list', { operation: 'panel/sign-in/password' });
    assert.deepEqual(
      lines.body['data'].map((each: { outcome: string }) => each.outcome),
      ['done', 'not_signed_in'],
    );
  });

  test('a wrong password, a local person and an unknown address get the same response', async () => {
    const { account } = await imported([entryOf('ann')]);
    await setPassword(service, account, account.owner, localPassword);

    const answers = await Promise.all(
      [addressOf('ann'), account.owner.email, addressOf('nobody')].map((email) =>
        signIn(email, 'wrong 12345'),
      ),
    );

    for (const { http, body } of answers) assert.deepEqual([http, body], [403, answers[0]!.body]);
  });

  test('the local password does not count while the switch is on, and counts again when it is off', async () => {
    const directory = await imported([entryOf('ann')]);
    await directory.change({ sign_in: false });
    const { account } = directory;
    const person = (await service.server.store.members.find(account.id, addressOf('ann')))!;
    await setPassword(service, account, person, localPassword);
    const both = async () => [
      outcomeOf(await signIn(addressOf('ann'), localPassword)),
      outcomeOf(await signIn(addressOf('ann'), directoryPassword)),
    ];

    const off = await both();
    await directory.change({ sign_in: true });
    const on = await both();
    await directory.change({ sign_in: false });
    const again = await both();

    assert.deepEqual(
      [off, on, again],
      [
        ['done', 'not_signed_in'],
        ['not_signed_in', 'done'],
        ['done', 'not_signed_in'],
      ],
    );
  });

  test('somebody who is disabled there, left, or is no longer in the filter is refused before the next import', async () => {
    await imported(
      ['ann', 'bob', 'cid', 'dan'].map((name) => entryOf(name)),
      { person_filter: '(sn=*)' },
    );
    const people = [
      entryOf('ann', { locked: true }),
      // The same name and password, but another person.
      { ...entryOf('bob'), entryUUID: '00000000-0000-4000-8000-000000000001' },
      entryOf('dan'),
    ];
    await slapd.load(company(...people));

    const outcomes = [];
    for (const name of ['ann', 'bob', 'cid', 'dan'])
      outcomes.push(outcomeOf(await signIn(addressOf(name), directoryPassword)));

    assert.deepEqual(outcomes, ['not_signed_in', 'not_signed_in', 'not_signed_in', 'done']);
  });

  test('a password that no person has, of any shape, signs nobody in', async () => {
    const open = ldapPerson({ uid: `open${round}` });
    const { account } = await imported([entryOf('ann'), open]);
    const guesses = ['', ' ', '*', ')(uid=*', directoryReader.bind_password, 'x'.repeat(256)];

    const outcomes = [];
    for (const password of guesses)
      for (const name of ['ann', 'open']) outcomes.push((await signIn(addressOf(name), password)).http);
    const connection = directoryConnection(slapd.url, slapd.ca);
    const given = { directoryId: 1, uid: String(open['entryUUID']) };
    const empty = await verifyDirectoryPassword(
      connection,
      { ...given, password: '' },
      { now: 0, allowLoopback: true },
    );

    assert.deepEqual(outcomes, [400, 400, ...Array(2 * guesses.length - 2).fill(403)]);
    assert.equal(empty, 'wrong');
    const refused = await eventually(
      async () =>
        (await account.owner.call('audit/list', { operation: 'panel/sign-in/password' })).body['data'],
      (lines: { outcome: string }[]) => lines.length === 2 * guesses.length - 2,
    );
    assert.ok(refused.every(({ outcome }) => outcome === 'not_signed_in'));
  });

  test('the password of another person signs nobody in', async () => {
    const { account } = await imported([
      entryOf('ann'),
      entryOf('bob', { password: 'another one 12' }),
      // As a filter, this address would find the others, too.
      entryOf('*', { password: 'of the star 123' }),
    ]);

    const ann = await signIn(addressOf('ann'), 'another one 12');
    const injected = await signIn(addressOf('*'), directoryPassword);
    const own = await signIn(addressOf('*'), 'of the star 123');
    const nobody = await signIn('*@example.com', directoryPassword);

    assert.deepEqual([ann, injected, own, nobody].map(outcomeOf), [
      'not_signed_in',
      'not_signed_in',
      'done',
      'not_signed_in',
    ]);
    // An address that nobody has belongs to no account, and so to no audit log.
    await eventually(
      async () =>
        (await account.owner.call('audit/list', { operation: 'panel/sign-in/password' })).body['data'],
      (lines: { email: string; outcome: string }[]) =>
        lines.map(({ email, outcome }) => `${email} ${outcome}`).join() ===
        [
          `${addressOf('*')} done`,
          `${addressOf('*')} not_signed_in`,
          `${addressOf('ann')} not_signed_in`,
        ].join(),
    );
  });

  test('without the server, or with another certificate, nobody signs in, and they learn why', async () => {
    const directory = await imported([entryOf('ann')]);
    const other = await startSlapd();

    await slapd.stop();
    const dead = await signIn(addressOf('ann'), directoryPassword);
    await slapd.load(company(entryOf('ann')));
    await directory.change({ ca_cert: other.ca, ...directoryReader });
    const untrusted = await signIn(addressOf('ann'), directoryPassword);
    await directory.change({ ca_cert: slapd.ca, bind_password: 'wrong' });
    const unreadable = await signIn(addressOf('ann'), directoryPassword);
    await directory.change(directoryReader);
    const repaired = await signIn(addressOf('ann'), directoryPassword);
    await other[Symbol.asyncDispose]();

    const unavailable = 'directory_unavailable';
    assert.deepEqual([dead, untrusted, unreadable, repaired].map(outcomeOf), [
      unavailable,
      unavailable,
      unavailable,
      'done',
    ]);
    assert.match(dead.body.error!.message, /does not respond/);
  });

  test('guesses are limited as for others', async () => {
    await imported([entryOf('ann')]);
    const email = addressOf('ann');

    const outcomes = [];
    for (let at = 0; at < 14; at += 1) outcomes.push(outcomeOf(await guess(email, `wrong ${at}`)));

    assert.ok(outcomes.includes('too_many_tries'), outcomes.join());
    assert.equal(outcomeOf(await guess(email, directoryPassword)), 'too_many_tries');
  });

  test('a code is asked for after the password of the directory', async () => {
    const { account } = await imported([entryOf('ann')]);
    const { store } = service.server;
    const { id: memberId } = (await store.members.find(account.id, addressOf('ann')))!;
    const ref = { accountId: account.id, memberId };
    await must(store, 'factors/totp/begin', { ...ref, secret: 'JBSWY3DPEHPK3PXP' });
    await must(store, 'factors/totp/confirm', { ...ref, secret: 'JBSWY3DPEHPK3PXP', step: 1, recovery: [] });
    const browser = openPanelClient(service);

    const first = await signIn(addressOf('ann'), directoryPassword, browser);

    assert.deepEqual([outcomeOf(first), browser.cookie], ['code', undefined]);
  });

  test('only a server administrator decides which server gets passwords', async () => {
    const account = await service.account(addressOf('owner'));
    const admin = await account.member([{ type: 'team', permissions: ['team_user_admin'] }]);
    await slapd.load(company(entryOf('ann')));
    const settings = { url: slapd.url, ca_cert: slapd.ca, base: directoryBase, ...directoryReader };
    const refused = [
      await account.owner.call('team/directory/create', { name: 'Own', ...settings, sign_in: true }),
    ];
    const directory = await connectDirectory(service, slapd, { sign_in: true }, account);
    await directory.run();
    for (const change of [{ url: slapd.plainUrl, ...directoryReader }, { name: 'Ours' }, { sign_in: true }])
      refused.push(await admin.call('team/directory/update', { id: directory.id, ...change }));
    const still = await signIn(addressOf('ann'), directoryPassword);
    const off = await admin.call('team/directory/update', { id: directory.id, sign_in: false });
    refused.push(await admin.call('team/directory/update', { id: directory.id, sign_in: true }));

    for (const { http, body } of refused) assert.deepEqual([http, body.error!.field], [403, 'sign_in']);
    assert.deepEqual([outcomeOf(still), off.http], ['done', 200]);
    assert.equal(outcomeOf(await signIn(addressOf('ann'), directoryPassword)), 'not_signed_in');
  });

  test('the owner and server administrators sign in with their own password', async () => {
    const account = await service.account(addressOf('owner'));
    const [administrator, member] = [await account.member([]), await account.member([])];
    const { store } = service.server;
    await must(store, 'operators/add', { member: { accountId: account.id, id: administrator.id } });
    const people = [account.owner, administrator, member];
    for (const each of people) await setPassword(service, account, each, localPassword);
    const entries = people.map(({ email: mail }, at) => entryOf(`x${at}-`, { mail }));
    await slapd.load(company(...entries));
    await (await connectDirectory(service, slapd, { adopt: true, sign_in: true }, account)).run();
    const outcomes = [];
    for (const { email } of people)
      for (const password of [directoryPassword, localPassword])
        outcomes.push(outcomeOf(await signIn(email, password)));

    const [no, yes] = ['not_signed_in', 'done'];
    assert.deepEqual(outcomes, [no, yes, no, yes, yes, no]);
  });

  test('guesses count in one account while the directory of another does not respond, and a right password is accepted', async () => {
    const email = addressOf('ann');
    const { account } = await imported([entryOf('ann')]);
    const other = await service.account();
    const ann = await other.member([], email);
    await setPassword(service, other, ann, localPassword);
    await slapd.stop();

    const right = outcomeOf(await signIn(email, localPassword));
    for (let at = 0; at < 14; at += 1)
      assert.equal(outcomeOf(await guess(email, `wrong ${at}`)), 'directory_unavailable');

    assert.ok(account.id !== other.id && right === 'done', right);
    // The directory may be asked again; the password that has a hash may not be guessed again.
    assert.equal(outcomeOf(await guess(email, localPassword)), 'directory_unavailable');
  });
});
