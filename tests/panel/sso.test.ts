/** Single sign-on with a real identity provider, and attacks on it with one that forges its answers. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { digestOf, random } from '@drawbridge/server/edges/random';
import { newRecoveryCodes, recoveryDigest } from '@drawbridge/server/panel/sign-in/recovery-codes';
import { eventually } from '../kit/eventually.ts';
import { must, type TestAccount } from '../kit/server/account.ts';
import {
  openPanelClient,
  openSignedInPanel,
  setPassword,
  type PanelClient,
  type PanelResponse,
} from '../kit/server/panel.ts';
import { signInAtProvider } from '../kit/sso/provider-browser.ts';
import { openSso, type SsoFixture } from '../kit/sso/sso-fixture.ts';
import { entraActive, entraCreate } from '../provisioning/entra-requests.ts';
import { createProvider } from '../provisioning/scim-provider.ts';

const codeOf = ({ body }: PanelResponse): string | undefined => body.error?.code;
const someEmail = (): string => `${random.digits(12)}@example.com`;

describe('single sign-on', () => {
  let sso: SsoFixture;
  let account: TestAccount;
  before(async () => void (sso = await openSso()));
  after(() => sso[Symbol.asyncDispose]());
  beforeEach(async () => {
    account = await sso.service.account();
    Object.assign(sso.forging, { claims: {}, document: {}, usesForeignKey: false, floods: 0 });
    sso.oidc.people.clear();
  });

  const me = async (browser: PanelClient) => (await browser.ask('me')).body['data'];
  const outcomesOf = async (operation = 'panel/sign-in/sso') =>
    (await sso.outcomes(account, operation)).map(({ outcome }) => outcome);
  /** Refusals are written after the response. */
  const untilOutcomes = (isThere: (outcomes: string[]) => boolean, operation?: string) =>
    eventually(() => outcomesOf(operation), isThere);

  /** A person of the account with a password, at the panel. */
  async function colleague() {
    const person = await account.member();
    await setPassword(sso.service, account, person, 'correct horse 7');
    return { person, browser: await openSignedInPanel(sso.service, account, person) };
  }

  /** Connects a signed-in person with their identity at the real provider. */
  async function connect(browser: PanelClient, id: number, subject: string): Promise<PanelResponse> {
    const { body } = await browser.ask('me/sso/begin', { id });
    const returned = await signInAtProvider(body['url'], { ca: sso.oidc.ca, subject });
    return browser.ask('me/sso/connect', { ...returned });
  }

  test('a new person signs in, returns as the same person, and belongs to the departments of their groups', async () => {
    const [email, subject] = [someEmail(), random.token()];
    sso.oidc.people.set(subject, { email, email_verified: true, groups: ['staff', 'other'] });
    const provider = await sso.add(account, sso.oidc);
    const [staff, sales] = [await account.department('Staff'), await account.department('Sales')];
    const map = (group: string, department_id: number) =>
      sso.call(account, 'team/provider/group/add', { id: provider.id, group, department_id });
    await map('staff', staff);
    await map('sales', sales);
    const departments = async () => {
      const { data } = await sso.call(account, 'team/member/list', { search: email });
      return (data as { departments: { name: string }[] }[])[0]?.departments.map(({ name }) => name);
    };

    const first = await sso.signIn(provider, subject);
    const earlier = await departments();
    sso.oidc.people.set(subject, { email: someEmail(), email_verified: true, groups: ['sales'] });
    const second = await sso.signIn(provider, subject);

    assert.deepEqual(
      [first.answer.body, second.answer.body],
      [
        { next: 'done', status: 0 },
        { next: 'done', status: 0 },
      ],
    );
    const [one, two] = [await me(first.browser), await me(second.browser)];
    assert.deepEqual([one.email, one.id, one.sso.length], [email, two.id, 1]);
    assert.deepEqual([earlier, await departments()], [['Staff'], ['Sales']]);
    const lines = await sso.outcomes(account, 'panel/sign-in/sso');
    assert.deepEqual(lines, [
      { email, outcome: 'done' },
      { email, outcome: 'done' },
    ]);
  });

  test('a membership that somebody gave here stays, whatever the provider says', async () => {
    const { person, browser } = await colleague();
    const [subject, department] = [random.token(), await account.department()];
    sso.oidc.people.set(subject, { email: person.email, groups: ['staff'] });
    const provider = await sso.add(account, sso.oidc);
    await connect(browser, provider.id, subject);
    await sso.call(account, 'team/department/member/add', { id: department, email: person.email });
    await sso.call(account, 'team/provider/group/add', {
      id: provider.id,
      group: 'staff',
      department_id: department,
    });

    await sso.signIn(provider, subject);
    sso.oidc.people.set(subject, { email: person.email });
    await sso.signIn(provider, subject);

    const { data } = await sso.call(account, 'team/department/info', { id: department });
    assert.deepEqual(
      data.members.map(({ email }: { email: string }) => email),
      [person.email],
    );
  });

  test('a group gives no team permission that the person who mapped it does not hold', async () => {
    const admin = await account.member([{ type: 'team', permissions: ['team_user_admin'] }]);
    const [department, subject] = [await account.department(), random.token()];
    sso.oidc.people.set(subject, { email: someEmail(), groups: ['staff'] });
    const provider = await sso.add(account, sso.oidc);
    const map = { id: provider.id, group: 'staff', department_id: department };
    const mapped = await admin.call('team/provider/group/add', map);
    const { store } = sso.service.server;
    const role = {
      name: random.token(),
      type: 'team',
      description: '',
      permissions: ['team_api_key'],
    } as const;
    const { id: roleId } = await must(store, 'roles/create', { accountId: account.id, ...role });
    const grant = {
      accountId: account.id,
      by: account.owner.id,
      holder: { departmentId: department },
      roleId,
    };
    await must(store, 'access/add', grant);

    const again = await admin.call('team/provider/group/add', map);
    const { browser } = await sso.signIn(provider, subject);

    assert.deepEqual([mapped.http, again.body.error?.code], [200, 'beyond_own_rights']);
    assert.deepEqual((await me(browser)).team, []);
  });

  test('a person who manages people cannot choose which claim gives what the owner mapped', async () => {
    const admin = await account.member([{ type: 'team', permissions: ['team_user_admin'] }]);
    const { id } = await sso.add(account, sso.forging);
    const mapping = { id, group: 'admins', department_id: await account.department() };
    await sso.call(account, 'team/provider/group/add', mapping);
    const edits = { groups_claim: 'nickname', client_id: 'an application for everybody', scopes: 'openid' };
    for (const [field, value] of Object.entries(edits)) {
      const { http, body } = await admin.call('team/provider/update', { id, [field]: value });
      assert.deepEqual([http, body.error?.field], [403, field]);
    }
    const required = await admin.call('team/provider/require', { only_sso: true });
    assert.deepEqual([required.http, required.body.error?.field], [403, 'only_sso']);
  });

  test('an answer counts once, in the browser that asked for it, and for its own purpose', async () => {
    const subject = random.token();
    sso.oidc.people.set(subject, { email: someEmail() });
    const provider = await sso.add(account, sso.oidc);
    const { browser, url } = await sso.begin(provider);
    const returned = { ...(await signInAtProvider(url, { ca: sso.oidc.ca, subject })) };
    const other = openPanelClient(sso.service);
    await other.ask('sign-in/sso/begin', { name: provider.signInName });

    const done = await browser.ask('sign-in/sso', returned);
    const replayed = await browser.ask('sign-in/sso', returned);
    const second = await sso.begin(provider);
    const stolen = { ...(await signInAtProvider(second.url, { ca: sso.oidc.ca, subject })) };
    const elsewhere = await other.ask('sign-in/sso', stolen);
    const afterwards = await second.browser.ask('sign-in/sso', stolen);
    const asStepUp = await browser.ask('me/confirm/sso', stolen);

    assert.equal(done.http, 200);
    for (const each of [replayed, elsewhere, afterwards, asStepUp])
      assert.deepEqual([each.http, codeOf(each)], [403, 'not_signed_in']);
    assert.equal(other.cookie, undefined);
    await untilOutcomes((all) => all.join() === 'not_signed_in,not_signed_in,not_signed_in,done');
    await untilOutcomes((all) => all.join() === 'not_signed_in', 'panel/me/confirm/sso');
  });

  test('answers that belong to no sign-in leave a line in the account of the sign-in name, up to a limit', async () => {
    const subject = random.token();
    sso.oidc.people.set(subject, { email: someEmail() });
    const provider = await sso.add(account, sso.oidc);
    const { signInName } = provider;
    const browser = openPanelClient(sso.service);
    const send = (name: string) => browser.ask('sign-in/sso', { name, response: 'state=sso.x&code=y' });

    assert.equal(codeOf(await send('abcde-fghjk')), 'not_signed_in');
    assert.deepEqual(await outcomesOf(), []);
    for (let count = 0; count < 40; count += 1) assert.equal(codeOf(await send(signInName)), 'not_signed_in');

    await sso.signIn(provider, subject);

    const [newest, ...refused] = await outcomesOf();
    assert.equal(newest, 'done');
    // One more if a minute ends meanwhile.
    assert.ok(refused.length === 30 || refused.length === 31, `${refused.length} lines`);
  });

  test('a code that was used, or that belongs to another sign-in, is refused by the provider', async () => {
    const subject = random.token();
    sso.oidc.people.set(subject, { email: someEmail() });
    const provider = await sso.add(account, sso.oidc);
    const first = await sso.begin(provider);
    const codeFrom = async (address: string) =>
      new URLSearchParams((await signInAtProvider(address, { ca: sso.oidc.ca, subject })).response);
    const fromFirst = await codeFrom(first.url);
    const returnWith = async (code: string) => {
      const { browser, url } = await sso.begin(provider);
      const own = await codeFrom(url);
      own.set('code', code);
      return browser.ask('sign-in/sso', { name: provider.signInName, response: own.toString() });
    };

    const ofAnother = await returnWith((await codeFrom((await sso.begin(provider)).url)).get('code')!);
    const redeemed = await first.browser.ask('sign-in/sso', {
      name: provider.signInName,
      response: fromFirst.toString(),
    });
    const used = await returnWith(fromFirst.get('code')!);

    assert.equal(redeemed.http, 200);
    for (const answer of [ofAnother, used]) {
      assert.deepEqual([answer.http, codeOf(answer)], [403, 'sso_invalid']);
      assert.match(answer.body.error!.message, /invalid_grant/);
    }
    await untilOutcomes((outcomes) => outcomes.join() === 'sso_invalid,done,sso_invalid');
  });

  test('tokens with a wrong issuer, audience, nonce, time or key are refused', async () => {
    const provider = await sso.add(account, sso.forging);
    const earlier = new URL((await sso.begin(provider)).url).searchParams.get('nonce');
    const forged: Record<string, unknown>[] = [
      { iss: sso.oidc.issuer },
      { iss: `${sso.forging.issuer}/` },
      { aud: 'another client' },
      { aud: [sso.oidc.clientId, 'another client'], azp: 'another client' },
      { nonce: random.token() },
      { nonce: earlier },
      { nonce: undefined },
      { exp: 1_000_000_000 },
      { sub: undefined },
    ];
    for (const claims of forged) {
      sso.forging.claims = { email: someEmail(), ...claims };
      const { answer, browser } = await sso.forge(provider);
      assert.deepEqual([codeOf(answer), browser.cookie], ['sso_invalid', undefined], JSON.stringify(claims));
    }
    sso.forging.claims = { email: someEmail() };
    sso.forging.usesForeignKey = true;
    assert.equal(codeOf((await sso.forge(provider)).answer), 'sso_invalid');
    sso.forging.usesForeignKey = false;
    assert.equal((await sso.forge(provider)).answer.http, 200);
    assert.equal(sso.forging.verified, true, 'PKCE');
    const refused = forged.length + 1;
    await untilOutcomes((all) => all.filter((each) => each === 'sso_invalid').length === refused);
  });

  test('the answer of one provider does not count for another', async () => {
    const subject = random.token();
    sso.oidc.people.set(subject, { email: someEmail() });
    const [honest, hostile] = [await sso.add(account, sso.oidc), await sso.add(account, sso.forging)];
    const atHonest = await sso.begin(honest);
    const fromHonest = await signInAtProvider(atHonest.url, { ca: sso.oidc.ca, subject });
    const response = new URLSearchParams(fromHonest.response);
    const atHostile = await sso.begin(hostile);
    response.set('state', new URL(atHostile.url).searchParams.get('state')!);
    const earlier = sso.forging.requests.filter((path) => path === '/token').length;

    const mixed = await atHostile.browser.ask('sign-in/sso', {
      name: hostile.signInName,
      response: response.toString(),
    });
    const [foreign, none] = [
      await sso.forge(hostile, { iss: sso.oidc.issuer }),
      await sso.forge(hostile, { iss: undefined }),
    ];

    for (const answer of [mixed, foreign.answer, none.answer]) assert.equal(codeOf(answer), 'sso_invalid');
    const sent = sso.forging.requests.filter((path) => path === '/token').length;
    assert.equal(sent, earlier, 'the code of the honest provider is not sent to the other');
    await untilOutcomes((all) => all.join() === 'sso_invalid,sso_invalid,sso_invalid');
  });

  test('a provider that sends the browser on to another one does not receive its code', async () => {
    sso.forging.document = { authorization_response_iss_parameter_supported: undefined };
    const { browser: person } = await colleague();
    const elsewhere = await sso.service.account();
    const withoutIssuer = { client_id: 'a client without iss' };
    const honest = await sso.add(account, sso.forging, withoutIssuer);
    const codes = () => sso.forging.requests.filter((path) => path === '/token').length;
    const earlier = codes();
    const noIssuer = { iss: undefined };
    for (const owner of [account, elsewhere]) {
      const hostile = await sso.add(owner, sso.forging, withoutIssuer);
      const { browser, url } = await sso.begin(hostile);
      const returned = { ...sso.forging.answer(url, noIssuer), name: honest.signInName };
      assert.equal(codeOf(await browser.ask('sign-in/sso', returned)), 'sso_mixed_up');
      assert.equal(
        codeOf(await browser.ask('sign-in/sso', returned)),
        'not_signed_in',
        'the state is used up',
      );
      await eventually(
        () => sso.outcomes(owner, 'panel/sign-in/sso'),
        (all) => all.some(({ outcome }) => outcome === 'sso_mixed_up'),
      );
    }
    const other = await sso.add(account, sso.forging, withoutIssuer);
    const link = await person.ask('me/sso/begin', { id: other.id });
    const linked = { ...sso.forging.answer(link.body['url'], noIssuer), name: honest.signInName };
    assert.equal(codeOf(await person.ask('me/sso/connect', linked)), 'sso_mixed_up');
    await untilOutcomes((all) => all.join() === 'sso_mixed_up', 'panel/me/sso/connect');
    assert.equal(codes(), earlier, 'no code is sent to the other provider');
    sso.forging.claims = { email: someEmail() };
    assert.equal((await sso.forge(honest, noIssuer)).answer.http, 200, 'iss is not needed');
  });

  test('nobody is sent to a provider of somebody with fewer rights, because they could not connect it', async () => {
    const admin = await account.member([{ type: 'team', permissions: ['team_user_admin'] }]);
    const { id } = await sso.add({ ...account, owner: admin }, sso.forging);
    const owner = await openSignedInPanel(sso.service, account, account.owner);
    const begin = async () => codeOf(await owner.ask('me/sso/begin', { id }));

    assert.equal(await begin(), 'sso_unvouched');
    await sso.call(account, 'team/provider/update', { id, name: 'Company' });
    assert.equal(await begin(), undefined);
  });

  test('an e-mail address gives nobody the place of somebody else', async () => {
    const { person } = await colleague();
    const [subject, email] = [random.token(), someEmail()];
    sso.oidc.people.set(subject, { email, email_verified: true });
    const [honest, hostile] = [
      await sso.add(account, sso.oidc),
      await sso.add(account, sso.forging, { adopt: true }),
    ];
    assert.equal((await sso.signIn(honest, subject)).answer.http, 200);
    const claim = async (claims: Record<string, unknown>): Promise<string | undefined> => {
      sso.forging.claims = { sub: random.token(), email_verified: true, ...claims };
      return codeOf((await sso.forge(hostile)).answer);
    };

    const codes = [
      await claim({ email: person.email }),
      await claim({ email }),
      await claim({ email: account.owner.email }),
      await claim({ email: email.toUpperCase(), sub: subject }),
    ];

    assert.deepEqual(
      codes,
      Array.from({ length: 4 }, () => 'sso_email_taken'),
    );
    assert.deepEqual(
      [await claim({ email: someEmail(), email_verified: false }), await claim({ email: undefined })],
      ['sso_no_email', 'sso_no_email'],
    );
    const refused = ['sso_no_email', 'sso_no_email', ...codes];
    await untilOutcomes((all) => all.join() === [...refused, 'done'].join());
  });

  test('an invited person is recognised only by a verified address, with no more rights than the person who set it up', async () => {
    const invite = async () => {
      const email = someEmail();
      await sso.call(account, 'team/member/invite', { email });
      return email;
    };
    const [known, unverified, strong] = [await invite(), await invite(), await invite()];
    const admin = await account.member([{ type: 'team', permissions: ['team_user_admin'] }]);
    const provider = await sso.add(account, sso.forging, { adopt: true, create_people: false });
    await admin.call('team/provider/update', { id: provider.id, scopes: 'openid email' });
    const { store } = sso.service.server;
    const role = {
      name: random.token(),
      type: 'team',
      description: '',
      permissions: ['team_api_key'],
    } as const;
    const { id: roleId } = await must(store, 'roles/create', { accountId: account.id, ...role });
    const by = account.owner.id;
    await must(store, 'access/add', { accountId: account.id, by, holder: { email: strong }, roleId });
    const claim = async (claims: Record<string, unknown>) => {
      sso.forging.claims = { sub: random.token(), ...claims };
      return codeOf((await sso.forge(provider)).answer);
    };

    assert.equal(await claim({ email: known, email_verified: true }), undefined);
    assert.equal(await claim({ email: known, email_verified: true }), 'sso_email_taken');
    assert.equal(await claim({ email: unverified }), 'sso_email_taken');
    assert.equal(await claim({ email: strong, email_verified: true }), 'sso_email_taken');
    assert.equal(await claim({ email: someEmail(), email_verified: true }), 'sso_unknown_person');
    const refused = ['sso_unknown_person', 'sso_email_taken', 'sso_email_taken', 'sso_email_taken'];
    await untilOutcomes((all) => all.join() === [...refused, 'done'].join());
  });

  test('people whom Entra ID provisioned sign in with it as the same people, by an address that it vouches for', async () => {
    const scim = await createProvider(sso.service.testClient, account.owner);
    const add = async (email: string) =>
      (await scim.send('POST', '/Users', entraCreate(`upn-${email}`, email))).body.id as string;
    const [known, guest, gone] = [someEmail(), someEmail(), someEmail()];
    const ids = [await add(known), await add(guest), await add(gone)];
    await scim.send('PATCH', `/Users/${ids[2]}`, entraActive('False'));
    const provider = await sso.add(account, sso.forging, { adopt: true, create_people: false });
    const signIn = async (email: string, xms_edov: unknown) => {
      sso.forging.claims = { sub: email, email, xms_edov };
      const { browser, answer } = await sso.forge(provider);
      return { browser, code: codeOf(answer) };
    };

    const first = await signIn(known, true);
    const { http } = await first.browser.ask('me');
    const refused = [await signIn(guest, false), await signIn(guest, undefined), await signIn(gone, true)];
    await scim.send('PATCH', `/Users/${ids[0]}`, entraActive('False'));
    const left = await signIn(known, true);

    assert.deepEqual([first.code, http], [undefined, 200]);
    assert.deepEqual(
      refused.map(({ code }) => code),
      Array(3).fill('sso_email_taken'),
    );
    assert.deepEqual([left.code, (await first.browser.ask('me')).http], ['sso_disabled', 403]);
    const people = (await account.owner.call('team/member/list', { search: known })).body['data'];
    assert.deepEqual(
      people.map(({ id }: { id: number }) => String(id)),
      [ids[0]],
    );
    await untilOutcomes((all) => all.join() === `sso_disabled,${'sso_email_taken,'.repeat(3)}done`);
  });

  test('people whom the provider refuses, or no longer has, do not get in', async () => {
    const subject = random.token();
    sso.oidc.people.set(subject, { email: someEmail() });
    const provider = await sso.add(account, sso.oidc);
    await sso.signIn(provider, subject);
    sso.oidc.people.clear();

    const { answer } = await sso.signIn(provider, subject);
    const hostile = await sso.add(account, sso.forging);
    const sentence = 'Your password has expired. Call +1 555 0100.';
    const spoof = await sso.forge(hostile, { code: undefined, error: sentence });

    assert.equal(codeOf(answer), 'sso_denied');
    assert.equal(codeOf(spoof.answer), 'sso_invalid');
    assert.ok(!JSON.stringify(spoof.answer.body).includes('555'), 'a provider writes no text on our pages');
    await untilOutcomes((outcomes) => outcomes.includes('sso_denied'));
  });

  test('a person connects a provider once signed in, and confirms with it by authenticating again', async () => {
    const { browser, person } = await colleague();
    const [subject, other] = [random.token(), random.token()];
    for (const each of [subject, other]) sso.oidc.people.set(each, { email: someEmail() });
    const provider = await sso.add(account, sso.oidc);
    assert.equal((await connect(browser, provider.id, subject)).http, 200);
    const signedIn = await sso.signIn(provider, subject);
    const confirmAs = async (as: string) => {
      const { body } = await browser.ask('me/confirm/sso/begin', { id: provider.id });
      const url = new URL(body['url']);
      assert.deepEqual([url.searchParams.get('prompt'), url.searchParams.get('max_age')], ['login', '0']);
      const returned = await signInAtProvider(url.href, { ca: sso.oidc.ca, subject: as });
      return browser.ask('me/confirm/sso', { ...returned });
    };

    assert.equal((await me(signedIn.browser)).id, person.id);
    assert.equal(codeOf(await confirmAs(other)), 'sso_other_person');
    assert.equal((await confirmAs(subject)).http, 200);
    assert.equal(codeOf(await connect((await colleague()).browser, provider.id, subject)), 'sso_taken');
    await untilOutcomes((all) => all.join() === 'done,sso_other_person', 'panel/me/confirm/sso');
    await untilOutcomes((all) => all.join() === 'sso_taken,done', 'panel/me/sso/connect');
    assert.equal((await browser.ask('me/sso/remove', { id: provider.id })).http, 200);
  });

  test('a step-up without a recent authentication is refused', async () => {
    const { browser } = await colleague();
    const provider = await sso.add(account, sso.forging);
    sso.forging.claims = { sub: 'ann', email: someEmail() };
    const link = await browser.ask('me/sso/begin', { id: provider.id });
    await browser.ask('me/sso/connect', { ...sso.forging.answer(link.body['url']) });
    const confirm = async (auth_time: number | undefined) => {
      sso.forging.claims = { sub: 'ann', auth_time };
      const { body } = await browser.ask('me/confirm/sso/begin', { id: provider.id });
      return browser.ask('me/confirm/sso', { ...sso.forging.answer(body['url']) });
    };
    const now = Math.floor(Date.now() / 1_000);

    assert.equal(codeOf(await confirm(now - 120)), 'sso_not_recent');
    assert.equal(codeOf(await confirm(undefined)), 'sso_not_recent');
    assert.equal((await confirm(now)).http, 200);
  });

  test('only single sign-on: other methods are refused, except a link of the owner; keys keep working', async () => {
    const { person, browser } = await colleague();
    await setPassword(sso.service, account, account.owner, 'correct horse 8');
    const owner = await openSignedInPanel(sso.service, account, account.owner);
    const subject = random.token();
    sso.oidc.people.set(subject, { email: account.owner.email });
    const provider = await sso.add(account, sso.oidc);
    const require = (only_sso: boolean) => owner.v1('team/provider/require', { only_sso });
    const password = (email: string, text: string) =>
      openPanelClient(sso.service).ask('sign-in/password', { email, password: text });

    const early = await require(true);
    await connect(owner, provider.id, subject);
    assert.equal((await require(true)).http, 200);

    assert.equal(codeOf(early), 'sso_unused');
    assert.equal(codeOf(await password(person.email, 'correct horse 7')), 'sso_only');
    assert.equal(codeOf(await password(account.owner.email, 'correct horse 8')), 'sso_only');
    assert.equal((await browser.ask('me')).http, 403, 'sessions that began otherwise end');
    assert.equal((await person.call('team/member/list')).http, 403);
    assert.equal((await account.owner.call('team/member/list')).http, 200);
    const reset = await owner.ask('member/reset', { email: person.email, factors: false });
    assert.equal(codeOf(reset), 'sso_only');
    assert.equal((await owner.v1('team/provider/remove', { id: provider.id })).body.error?.code, 'sso_only');
    const { store } = sso.service.server;
    const signInByLink = async (email: string) => {
      const token = random.token();
      const link = { digest: digestOf(token), expireTime: store.now() + 600 };
      await must(store, 'members/reset', { accountId: account.id, email, link, forget: false });
      return openPanelClient(sso.service).ask('sign-in/link', { token });
    };
    assert.equal((await signInByLink(account.owner.email)).http, 200);
    assert.equal((await sso.signIn(provider, subject)).answer.http, 200);
  });

  test('somebody with an authenticator app is asked for a code after the provider', async () => {
    const subject = random.token();
    sso.oidc.people.set(subject, { email: someEmail() });
    const provider = await sso.add(account, sso.oidc);
    const { id: memberId } = await me((await sso.signIn(provider, subject)).browser);
    const [code] = newRecoveryCodes(random.bytes);
    const { store } = sso.service.server;
    const factor = { accountId: account.id, memberId, secret: 'secret' };
    await must(store, 'factors/totp/begin', factor);
    await must(store, 'factors/totp/confirm', {
      ...factor,
      step: 1,
      recovery: [recoveryDigest(memberId, code!)!],
    });

    const { browser, answer } = await sso.signIn(provider, subject);
    const early = browser.cookie;
    const done = await browser.ask('sign-in/code', { step: answer.body['step'], code });

    assert.deepEqual([answer.body['next'], early, done.body['next']], ['code', undefined, 'done']);
    assert.equal((await me(browser)).id, memberId);
    assert.ok((await browser.ask('sign-out')).body['url'], 'it is a session of the provider');
  });

  test('a provider that is disabled or removed ends its sessions, and signing out leads to its page', async () => {
    const subject = random.token();
    sso.oidc.people.set(subject, { email: someEmail() });
    const provider = await sso.add(account, sso.oidc);
    const sessions = [await sso.signIn(provider, subject), await sso.signIn(provider, subject)];
    const [first, second] = sessions.map(({ browser }) => browser) as [PanelClient, PanelClient];

    const out = await first.ask('sign-out');
    await sso.call(account, 'team/provider/update', { id: provider.id, enabled: false });

    assert.ok(out.body['url'].startsWith(`${sso.oidc.issuer}/session/end?`));
    assert.equal((await second.ask('me')).http, 403);
    const again = await openPanelClient(sso.service).ask('sign-in/sso/begin', { name: provider.signInName });
    assert.equal(codeOf(again), 'not_found');
  });

  test('the check says what is wrong with a provider, within limits of size and time', async () => {
    const { id } = await sso.add(account, sso.forging);
    const check = async () => (await sso.call(account, 'team/provider/check', { id }))['data'].problem;
    const withDocument = async (document: Record<string, unknown>) => {
      sso.forging.document = document;
      return check();
    };
    const create = async (settings: Record<string, unknown>) => {
      const added = await sso.add(account, sso.forging, settings);
      return (await sso.call(account, 'team/provider/check', { id: added.id }))['data'].problem;
    };

    assert.equal(await check(), '');
    assert.equal(await withDocument({ issuer: sso.oidc.issuer }), 'wrong_issuer');
    assert.equal(await withDocument({ token_endpoint: 'http://example.com/token' }), 'insecure_endpoint');
    assert.equal(await withDocument({ code_challenge_methods_supported: ['plain'] }), 'no_pkce');
    assert.equal(await withDocument({ response_types_supported: ['id_token'] }), 'no_code_flow');
    assert.equal(await withDocument({ jwks_uri: undefined }), 'unreadable');
    sso.forging.floods = 2_000_000;
    assert.equal(await check(), 'too_large');
    sso.forging.floods = 10;
    assert.equal(await check(), 'unreadable');
    assert.equal(await create({ ca_cert: '' }), 'certificate');
    assert.equal(await create({ issuer: 'https://169.254.169.254' }), 'address');
    assert.equal(await create({ issuer: 'https://localhost:1' }), 'unreachable');
  });

  test('names that nobody has are refused alike, and attempts are limited', async () => {
    const browser = openPanelClient(sso.service);
    const answer = await browser.ask('sign-in/sso/begin', { name: 'abcde-fghjk' });
    assert.deepEqual([codeOf(answer), answer.body.error?.field], ['not_found', 'name']);
    const askOften = () =>
      Promise.all(
        Array.from({ length: 50 }, () => browser.ask('sign-in/sso/begin', { name: 'abcde-fghjk' })),
      );
    await eventually(askOften, (answers) => answers.some(({ http }) => http === 429));
  });
});
