/** Emails: invitations and account recovery, through a real mail server on this machine. */
import assert from 'node:assert/strict';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { test } from 'node:test';
import { openMailer } from '@drawbridge/server/panel/sign-in/mail';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { must, type TestPerson, type TestAccount } from '../kit/server/account.ts';
import { eventually } from '../kit/eventually.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openMailbox } from '../kit/server/mailbox.ts';
import { setPassword, openPanelClient, openSignedInPanel, type PanelResponse } from '../kit/server/panel.ts';

const codeOf = ({ body }: PanelResponse): string | undefined => body.error?.code;
const linkIn = (text: string, folder = 'sign-in'): string =>
  new RegExp(`https://localhost:\\d+/${folder}/([\\w-]{43})`).exec(text)?.[1] ?? '';

/** A technician who signed in by their link. */
async function technician(
  service: TestService,
  account: TestAccount,
  grants: Parameters<TestAccount['member']>[0] = [],
) {
  const person = await account.member(grants);
  const invited = await account.owner.call('team/member/invite', { email: person.email });
  const token = linkIn(String(invited.body['url']), 'invite');
  assert.equal((await openPanelClient(service).ask('sign-in/link', { token })).http, 200);
  return person;
}

const sessionsOf = (service: TestService, account: TestAccount, person: TestPerson) =>
  service.server.store.panel.sessions({ accountId: account.id, memberId: person.id });

test('an invitation is sent to the technician, with their own link', async () => {
  await using mailbox = await openMailbox();
  await using service = await startService({ env: mailbox.env });
  const { owner } = await service.account();

  const { body } = await owner.call('team/member/invite', { email: 'Zoë@example.com' });

  const receivedEmail = await mailbox.next();
  assert.equal(body['mailed'], true);
  assert.deepEqual([receivedEmail.from, receivedEmail.to], ['help@example.com', ['Zoë@example.com']]);
  assert.ok(receivedEmail.text.includes(owner.email) && !receivedEmail.text.includes(String(body['url'])));
  const entered = await openPanelClient(service).ask('sign-in/link', {
    token: linkIn(receivedEmail.text, 'invite'),
  });
  assert.equal(entered.body['next'], 'done');
  assert.ok(!service.logged.join('').includes(linkIn(receivedEmail.text, 'invite')));
});

test('an email that cannot be sent is reported and logged without secrets; the link still works', async () => {
  await using mailbox = await openMailbox();
  await using service = await startService({ env: mailbox.env });
  const { owner } = await service.account();
  mailbox.refuse = true;

  const { http, body } = await owner.call('team/member/invite', { email: 'ann@example.com' });

  assert.deepEqual([http, body['mailed']], [200, false]);
  const token = linkIn(String(body['url']), 'invite');
  await eventually(
    async () => service.logged.join(''),
    (lines) => lines.includes('an e-mail could not be sent'),
  );
  assert.ok(!service.logged.join('').includes(token));
  assert.equal((await openPanelClient(service).ask('sign-in/link', { token })).http, 200);
});

test('without a mail server nothing mentions email, and a person who forgot a password is told whom to ask', async () => {
  await using service = await startService();
  const { owner } = await service.account();

  const invited = await owner.call('team/member/invite', { email: 'ann@example.com' });
  const forgot = await openPanelClient(service).ask('sign-in/forgot', { email: owner.email });

  assert.ok(!('mailed' in invited.body));
  assert.deepEqual([forgot.http, codeOf(forgot)], [400, 'no_mail']);
});

test('a person who forgot their password gets an email with a link that works once within an hour, and is signed out elsewhere', async () => {
  await using mailbox = await openMailbox();
  await using service = await startService({ env: mailbox.env });
  const account = await service.account();
  const { owner } = account;
  const old = await openSignedInPanel(service, account, owner);
  const ask = (email: string) => openPanelClient(service).ask('sign-in/forgot', { email });

  const answer = await ask(owner.email.toUpperCase());
  const receivedEmail = await mailbox.next();
  const browser = openPanelClient(service);
  const entered = await browser.ask('sign-in/link', { token: linkIn(receivedEmail.text) });
  const chosen = await browser.ask('me/password', { password: 'correct horse 7' });

  assert.deepEqual([answer.http, receivedEmail.to], [200, [owner.email]]);
  assert.deepEqual([entered.body['next'], chosen.http], ['done', 200]);
  assert.equal((await old.ask('me')).http, 403);
  assert.equal(
    (await openPanelClient(service).ask('sign-in/link', { token: linkIn(receivedEmail.text) })).http,
    403,
  );
  const { rows } = await service.server.store.audit.list(account.id, {
    operation: 'panel/sign-in/forgot',
    offset: 0,
    limit: 10,
  });
  assert.deepEqual(
    rows.map(({ outcome, email }) => [outcome, email]),
    [['done', owner.email]],
  );
  await ask(owner.email);
  const late = await mailbox.next();
  service.advance(3_601);
  assert.equal((await openPanelClient(service).ask('sign-in/link', { token: linkIn(late.text) })).http, 403);
});

test('an unknown address and a member who never signed in get the same response and no email', async () => {
  await using mailbox = await openMailbox();
  await using service = await startService({ env: mailbox.env });
  const account = await service.account();
  const invited = await account.member();
  const ask = (email: string) => openPanelClient(service).ask('sign-in/forgot', { email });

  const answers = [await ask('nobody@example.com'), await ask(invited.email), await ask(account.owner.email)];

  assert.equal(new Set(answers.map(({ http, body }) => JSON.stringify([http, body]))).size, 1);
  assert.deepEqual((await mailbox.next()).to, [account.owner.email]);
  assert.equal(mailbox.emails.length, 1);
});

test('one email leads into every account of an address', async () => {
  await using mailbox = await openMailbox();
  await using service = await startService({ env: mailbox.env });
  const [one, two] = [await service.account(), await service.account()];
  const person = await technician(service, one);
  await mailbox.next();
  const invited = await two.owner.call('team/member/invite', { email: person.email });
  await mailbox.next();
  await openPanelClient(service).ask('sign-in/link', {
    token: linkIn(String(invited.body['url']), 'invite'),
  });

  await openPanelClient(service).ask('sign-in/forgot', { email: person.email });

  const { text } = await mailbox.next();
  assert.ok(text.includes(one.owner.email) && text.includes(two.owner.email));
  assert.equal(text.match(/\/sign-in\//g)?.length, 2);
});

test('emails to one address are limited, however often someone asks', async () => {
  await using mailbox = await openMailbox();
  await using service = await startService({ env: mailbox.env });
  const account = await service.account();

  const answers: number[] = [];
  for (let time = 0; time < 5; time++)
    answers.push((await openPanelClient(service).ask('sign-in/forgot', { email: account.owner.email })).http);

  assert.deepEqual(answers, [200, 200, 200, 429, 429]);
});

test('emails to one address are limited also when a member sends them, and the link is still shown', async () => {
  await using mailbox = await openMailbox();
  await using service = await startService({ env: mailbox.env });
  const account = await service.account();
  const browser = await openSignedInPanel(service, account, account.owner);

  const answers: PanelResponse[] = [];
  for (const email of ['Ann@example.com', ...Array.from({ length: 7 }, () => 'ann@example.com')])
    answers.push(await browser.v1('team/member/invite', { email }));

  assert.deepEqual(
    answers.map(({ body }) => body['mailed']),
    [true, true, true, true, true, false, false, false],
  );
  assert.equal(mailbox.emails.length, 5);
  assert.ok(answers.every(({ body }) => linkIn(String(body['url']), 'invite') !== ''));
});

test('anyone who asks for a link with an app enabled still has to enter a code', async () => {
  await using mailbox = await openMailbox();
  await using service = await startService({ env: mailbox.env });
  const account = await service.account();
  const memberRef = { accountId: account.id, memberId: account.owner.id };
  const { store } = service.server;
  await must(store, 'factors/totp/begin', { ...memberRef, secret: 'ABCDEFGH' });
  await must(store, 'factors/totp/confirm', { ...memberRef, secret: 'ABCDEFGH', step: 1, recovery: [] });

  await openPanelClient(service).ask('sign-in/forgot', { email: account.owner.email });
  const { text } = await mailbox.next();

  const browser = openPanelClient(service);
  assert.equal((await browser.ask('sign-in/link', { token: linkIn(text) })).body['next'], 'code');
  assert.equal(browser.cookie, undefined);
});

test('an administrator creates a recovery link for a technician: shown, sent, recorded, and all other sign-ins end', async () => {
  await using mailbox = await openMailbox();
  await using service = await startService({ env: mailbox.env });
  const account = await service.account();
  const person = await technician(service, account);
  await mailbox.next();
  const panel = await openSignedInPanel(service, account, account.owner);

  const { body } = await panel.ask('member/reset', { email: person.email, factors: true });

  const receivedEmail = await mailbox.next();
  assert.deepEqual([body['mailed'], receivedEmail.to], [true, [person.email]]);
  assert.ok(
    receivedEmail.text.includes(String(body['url'])) && receivedEmail.text.includes(account.owner.email),
  );
  assert.equal((await sessionsOf(service, account, person)).length, 1);
  const browser = openPanelClient(service);
  await browser.ask('sign-in/link', { token: linkIn(receivedEmail.text) });
  assert.equal((await browser.ask('me')).body['data'].email, person.email);
  assert.equal((await sessionsOf(service, account, person)).length, 1);
  const { rows } = await service.server.store.audit.list(account.id, {
    operation: 'panel/member/reset',
    offset: 0,
    limit: 10,
  });
  assert.deepEqual(
    rows.map(({ email, outcome, input }) => [email, outcome, JSON.parse(input)]),
    [[account.owner.email, 'done', { email: person.email, factors: true }]],
  );
});

test("nobody creates a link into permissions they do not hold, nor into the owner's sign-in", async () => {
  await using service = await startService();
  const account = await service.account();
  const { id: agentId } = await account.agent();
  const admin = await technician(service, account, [{ type: 'team', permissions: ['team_user_admin'] }]);
  const helper = await technician(service, account, [
    { type: 'agent', permissions: ['agent_connect'], agentId },
  ]);
  const [adminPanel, helperPanel] = [
    await openSignedInPanel(service, account, admin),
    await openSignedInPanel(service, account, helper),
  ];

  const answers = [
    await adminPanel.ask('member/reset', { email: helper.email }),
    await adminPanel.ask('member/reset', { email: account.owner.email }),
    await helperPanel.ask('member/reset', { email: admin.email }),
    await adminPanel.ask('member/reset', { email: 'nobody@example.com' }),
  ];

  assert.deepEqual(
    answers.map(({ http }) => http),
    [403, 403, 403, 403],
  );
  assert.deepEqual(answers.map(codeOf), ['beyond_own_rights', 'beyond_own_rights', 'forbidden', 'not_found']);
});

test('an address cannot add header lines to an email, nor other recipients', async () => {
  await using mailbox = await openMailbox();
  const mail = openMailer({ smtpUrl: mailbox.url, from: 'help@example.com' });
  const evil = [
    'ann@example.com\r\nBcc: eve@example.com',
    'ann@example.com, eve@example.com',
    'ann@example.com,eve@example.com',
    'ann@example.com;eve@example.com',
    'Ann<eve@example.com>',
    '"ann"@example.com',
    '',
  ];

  for (const to of evil) await assert.rejects(mail.send({ to, subject: 'x', text: 'x' }), JSON.stringify(to));
  await assert.rejects(mail.send({ to: 'a@b', subject: 'x\r\nBcc: eve@example.com', text: 'x' }));
  assert.deepEqual(mailbox.emails, []);
});

test('a password is sent to a mail server only over an encrypted and trusted connection', async () => {
  const { cert, key } = await createSelfSigned(['127.0.0.1'], new Date());
  const user = { name: 'help', password: 'p@ss word/1' };
  await using bare = await openMailbox({ user });
  await using mailbox = await openMailbox({ user, tls: { cert, key } });
  const mailOf = (smtpUrl: string) => openMailer({ smtpUrl, from: 'help@example.com' });
  const receivedEmail = { to: 'ann@example.com', subject: 'x', text: 'x' };

  await assert.rejects(mailOf(bare.url).send(receivedEmail));
  await assert.rejects(mailOf(mailbox.url).send(receivedEmail), /self-signed|certificate/);
  const usual = getCACertificates('default');
  setDefaultCACertificates([...usual, cert]);
  try {
    await mailOf(mailbox.url).check();
    await mailOf(mailbox.url).send(receivedEmail);
    await assert.rejects(mailOf(mailbox.url.replace('help:', 'eve:')).send(receivedEmail));
  } finally {
    setDefaultCACertificates(usual);
  }
  assert.deepEqual([bare.passwords, mailbox.emails.length], [[], 1]);
});

test('a person with a recovery link keeps their password until they choose another', async () => {
  await using service = await startService();
  const account = await service.account();
  const person = await technician(service, account);
  await setPassword(service, account, person, 'correct horse 7');
  const panel = await openSignedInPanel(service, account, account.owner);

  const { body } = await panel.ask('member/reset', { email: person.email });

  assert.equal(body['mailed'], false);
  const entered = await openPanelClient(service).ask('sign-in/password', {
    email: person.email,
    password: 'correct horse 7',
  });
  assert.equal(entered.body['next'], 'done');
});
