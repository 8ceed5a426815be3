/** A device with four eyes: a real server, a real agent and the real command line, and a server that was taken over. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Desktop } from '@drawbridge/agent/platform/desktop';
import { signWith } from '@drawbridge/agent/uplink/keys';
import type { OpenReply } from '@drawbridge/contract/session/open';
import { decodeBody, encodeBody, signedBytes } from '@drawbridge/contract/session/signed';
import { commandSubject } from '@drawbridge/server/gateway/devices/fleet';
import { createKeyPair } from '@drawbridge/session/node/crypto';
import { startAgent, type TestAgent } from '../kit/agent/agent.ts';
import { createFakePlatform } from '../kit/agent/fake-platform.ts';
import { eventually } from '../kit/eventually.ts';
import type { TestAccount, TestPerson } from '../kit/server/account.ts';
import { createEnrolToken, waitUntilOnline } from '../kit/server/enrolment.ts';
import { openEventReader } from '../kit/server/event-reader.ts';
import { openSignedInPanel } from '../kit/server/panel.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { addApprover, runAsApprover } from '../kit/session/second-person.ts';
import { connectOperator, type Operator } from '../kit/session/operator.ts';
import { linkCode, postToSession } from '../kit/session/session-ends.ts';

describe('a device with four eyes', () => {
  let service: TestService;
  let account: TestAccount;
  let agent: TestAgent;
  let second: TestPerson;
  const banners: string[] = [];
  let opened = 0;

  const desktop = {
    banner: async (text: string) => {
      banners.push(text);
      return { onStop() {}, setText: (line: string) => void banners.push(line), close() {} };
    },
    onClose() {},
    close() {},
  } as unknown as Desktop;

  /** What the second person types when they are asked for a passphrase. */
  let secrets: string[] = [];

  /** The command line of the second person; `answer` is what they enter as code. */
  const type = (line: string[], answer = '') =>
    runAsApprover({ service, person: second, answer, passphrases: secrets }, line);

  async function connect(reply: OpenReply, sessionKey: ReturnType<typeof createKeyPair>, approval?: string) {
    const { relay, ticket, pair, server_key: serverKey } = reply;
    const options = { relay, ticket, pair, serverKey, deviceKey: reply.device.key!, sessionKey };
    const operator = connectOperator(options, approval === undefined);
    if (approval === undefined) return operator;
    await eventually(
      () => operator.code(),
      (code) => code !== '',
    );
    operator.sendMessage('confirm', { version: 1, approval });
    return operator;
  }

  async function open(person: TestPerson): Promise<{ operator: Operator; reply: OpenReply }> {
    const { url } = (await person.call('agents/connect', { agent_id: agent.state.id })).body['data'];
    const key = createKeyPair();
    const answer = await postToSession(service, 'open', { code: linkCode(url), key: key.publicKey });
    const reply = JSON.parse(answer.text) as OpenReply;
    return { operator: await connect(reply, key), reply };
  }

  const asked = (operator: Operator) => operator.until('state', ({ phase }) => phase === 'asking');
  const live = (operator: Operator) => operator.until('state', ({ phase }) => phase === 'live');
  const list = async () =>
    (await second.call('agents/approval/list', { agent_id: agent.state.id })).body['data'];

  before(async () => {
    service = await startService({ realTime: true });
    account = await service.account();
    const machine = createFakePlatform('till', {
      desktop: async () => {
        opened += 1;
        return desktop;
      },
    });
    agent = startAgent({
      server: service.testClient.baseUrl,
      token: await createEnrolToken(account.owner),
      machine,
    });
    await agent.until(/connected as device/);
    await waitUntilOnline(account.owner, agent.state.id);
    second = await account.member();
    await account.grant(second, {
      type: 'agent',
      agentId: agent.state.id,
      permissions: ['agent_connect', 'agent_chat'],
    });
    await addApprover(agent, { service, person: second });
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  test('opens nothing until the second person has entered the code of the operator', async () => {
    opened = 0;
    const { operator } = await open(account.owner);
    await using _operator = operator;
    const state = await asked(operator);
    assert.deepEqual([state.awaits, state.permissions, state.home], ['approval', [], '']);
    assert.match(state.message, new RegExp(`drawbridge approve ${agent.state.id}$`));

    const wrong = await type(['approve', String(agent.state.id)], '0000 0000 0000');

    assert.deepEqual([wrong.exit, opened], [1, 0]);
    assert.match(wrong.err, /not the code of this session/);
    assert.ok(!wrong.err.includes(operator.code()), 'only the operator tells the code');
    const right = await type(['approve', String(agent.state.id), '--minutes', '5'], operator.code());
    assert.equal(right.exit, 0, right.err);
    assert.match(right.err, new RegExp(`Operator +${account.owner.email}`));
    const { permissions, approval } = await live(operator);
    assert.ok(permissions.includes('agent_connect') && approval !== undefined);
    assert.match(
      banners.at(-1)!,
      new RegExp(`^${account.owner.email} is connected to this computer, approved by ${second.email}`),
    );
    const lines = (await account.owner.call('audit/list', { limit: 100 })).body['data'] as {
      operation: string;
      outcome: string;
    }[];
    for (const operation of ['session/approval', 'agents/approval/sign'])
      assert.ok(
        lines.some((line) => line.operation === operation && line.outcome === 'done'),
        operation,
      );
  });

  test('lets the operator who was approved return, and nobody else under their session', async () => {
    const { operator, reply } = await open(account.owner);
    await asked(operator);
    assert.equal((await type(['approve', String(agent.state.id)], operator.code())).exit, 0);
    const { approval } = await live(operator);
    const resume = async (token?: string) => {
      const key = createKeyPair();
      const { session, secret } = reply;
      const answer = await postToSession(service, 'resume', { session, secret, key: key.publicKey });
      return connect(JSON.parse(answer.text) as OpenReply, key, token);
    };

    await using other = await resume();
    await asked(other);
    await using returned = await resume(approval);
    assert.ok((await live(returned)).permissions.includes('agent_connect'));

    assert.ok(other.messages('state').every(({ phase }) => phase !== 'live'));
  });

  test('does not believe a server that changes or replays an approval', async () => {
    const first = await open(account.owner);
    await using _first = first.operator;
    await asked(first.operator);
    const statement = (await list())[0].statement as string;
    const original = decodeBody('approval', statement)!;
    const { agent: agentId } = original;
    const sign = (approval: string) =>
      second
        .call('agents/approval/sign', { agent_id: agentId, approval })
        .then(({ body }) => body['error']?.message);
    // What the command line sends, as the server sees it.
    const key = readFileSync(join(service.folder, '.config/drawbridge/approver.pem'), 'utf8');
    const signature = signWith(key, new TextDecoder().decode(signedBytes('approval', statement)));
    const spied = `${statement}.${signature}`;
    const forged = (changes: object): string =>
      `${encodeBody('approval', { ...original, ...changes })}.${signature}`;

    for (const changes of [
      { operator: 'eve@example.com' },
      { operator_key: 'E'.repeat(43) },
      { permissions: [...original.permissions, 'agent_reboot'] },
      { until: original.until + 3_600 },
    ])
      assert.match((await sign(forged(changes))) ?? '', /not signed by an approver/);
    const other = await open(account.owner);
    await using _other = other.operator;
    await asked(other.operator);
    assert.match((await sign(forged({ session: other.reply.session }))) ?? '', /not signed by an approver/);
    assert.deepEqual(await sign(spied), undefined);
    assert.match((await sign(spied)) ?? '', /No session waits/);
    await live(first.operator);
    assert.deepEqual(
      other.operator.messages('state').map(({ phase }) => phase),
      ['asking'],
    );
  });

  test('does nothing outside of sessions that a person could see or feel', async () => {
    const id = agent.state.id;
    for (const answer of [
      await account.owner.call('agents/reboot', { id, safe: false }),
      await account.owner.call('agents/lock', { id }),
      await account.owner.call('agents/software', { agent_id: id }),
    ])
      assert.match(answer.body['error']?.message ?? '', /four eyes/);
    for (const [name, input] of [
      ['preview', { width: 320 }],
      ['self_update', { version: '9.9.9' }],
    ] as const) {
      const answer = await service.server.bus.request(commandSubject(id), { name, input }, 5_000);
      assert.match((answer as { refused: string }).refused, /four eyes/, name);
    }
    assert.deepEqual(agent.machine.done, []);
  });

  test('shows what waits on all devices to those who may approve it, and to nobody else', async () => {
    const stranger = await account.member();
    const people = [second, account.owner, stranger];
    const panels = await Promise.all(people.map((person) => openSignedInPanel(service, account, person)));
    const shown = async () =>
      Promise.all(panels.map(async (panel) => (await panel.ask('notifications')).body['approvals']));
    const totals = async () => (await shown()).map(({ total }) => total);
    await using events = await openEventReader(service.testClient, panels[0]!);
    assert.deepEqual(await totals(), [0, 0, 0]);
    const { operator, reply } = await open(account.owner);
    await using _operator = operator;
    await asked(operator);

    await events.until(({ topic }) => topic === 'notifications');
    assert.deepEqual(await totals(), [1, 0, 0]);
    const { device, until, permissions, ...row } = (await shown())[0].data[0];
    assert.deepEqual(row, {
      id: reply.session,
      agent_id: agent.state.id,
      operator: account.owner.email,
      reason: '',
      record: false,
    });
    assert.ok(device !== '' && until > Date.now() / 1_000 && permissions.includes('agent_connect'));
    const listed = await Promise.all(
      people.map(async (person) => (await person.call('agents/approval/list')).body['data']),
    );
    assert.deepEqual(
      listed.map((rows) => rows.map((each: { session: number }) => each.session)),
      [[reply.session], [], []],
    );
    assert.equal((await type(['approve'], operator.code())).exit, 0);
    await events.until(({ topic }) => topic === 'notifications');
    assert.deepEqual(await totals(), [0, 0, 0]);
    const { exit, err } = await type(['approve']);
    assert.deepEqual([exit, /No session of somebody else waits/.test(err)], [1, true]);
  });

  test('never lets operators approve for themselves', async () => {
    const { operator } = await open(second);
    await using _operator = operator;
    await asked(operator);

    const { exit, err } = await type(['approve', String(agent.state.id)], operator.code());

    assert.equal(exit, 1);
    assert.match(err, /You cannot approve your own session/);
  });

  test('signs with a key under a passphrase only for those who know it', async () => {
    const file = join(service.folder, '.config/drawbridge/approver.pem');
    const keyWith = (...typed: string[]) => {
      secrets = typed;
      return type(['approver', 'key', '--passphrase', '--json']);
    };
    const earlier = JSON.parse((await type(['approver', 'key', '--json'])).out);
    assert.match((await keyWith('too short')).err, /at least 12 characters/);
    assert.match((await keyWith('correct horse 7', 'correct horse 8')).err, /differ/);
    assert.match(readFileSync(file, 'utf8'), /BEGIN PRIVATE KEY/);

    const { out } = await keyWith('correct horse 7', 'correct horse 7');

    assert.deepEqual(JSON.parse(out), earlier);
    assert.match(readFileSync(file, 'utf8'), /BEGIN ENCRYPTED PRIVATE KEY/);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const { operator } = await open(account.owner);
    await using _operator = operator;
    await asked(operator);
    const approveWith = (passphrase: string) => {
      secrets = [passphrase];
      return type(['approve', String(agent.state.id)], operator.code());
    };
    const wrong = await approveWith('correct horse 8');
    assert.equal(wrong.exit, 1);
    assert.match(wrong.err, /not the passphrase of the key/);
    assert.equal((await approveWith('correct horse 7')).exit, 0);
    await live(operator);
    assert.match((await keyWith('wrong horse 9', 'x'.repeat(12), 'x'.repeat(12))).err, /not the passphrase/);
  });
});
