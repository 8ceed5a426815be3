/**
 * The agent as a black box: with every set of permissions that a role can give, the agent itself performs or
 * refuses each kind of frame.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { encodeNumber, encodePointer, decodeNumber } from '@drawbridge/contract/session/binary-frames';
import {
  frameKindOf,
  frameKinds,
  type FrameKind,
  type FrameKindName,
} from '@drawbridge/contract/session/frame-kinds';
import { permissionIds, type Permission } from '@drawbridge/contract/permissions';
import type { TestPerson } from '../../kit/server/account.ts';
import { openDirectOperator, openAgentFixture, type AgentFixture } from '../../kit/agent/agent-fixture.ts';
import { frameChecks, type FrameAttempt } from '../../kit/hostile/frame-checks.ts';
import { closeDirectChannels } from '../../kit/session/direct-channel.ts';
import { skipWithout } from '../../kit/requirements.ts';
import type { Operator } from '../../kit/session/operator.ts';
import { eventually } from '../../kit/eventually.ts';

const skip = skipWithout('Xvfb') || skipWithout('programs of a desktop');
const noRight = 'This session does not have permission to do that.';
/** What a role on a device can allow in a session, from both tables. */
const allowable = permissionIds('agent').filter((permission) =>
  Object.values(frameKinds).some((kind: FrameKind) => kind.permission === permission),
);
const others = allowable.filter((permission) => permission !== 'agent_connect');
const sets: readonly (readonly Permission[])[] = [
  ['agent_connect'],
  ...others.map((permission): Permission[] => ['agent_connect', permission]),
  ...others.map((permission) => allowable.filter((each) => each !== permission)),
  allowable,
];

describe('the agent as a black box', { skip }, () => {
  let fixture: AgentFixture;
  let turn = 0;
  before(async () => {
    if (!skip) fixture = await openAgentFixture();
  });
  after(async () => {
    await fixture?.[Symbol.asyncDispose]();
    closeDirectChannels();
  });

  const liveAs = async (person: TestPerson): Promise<Operator> => {
    const operator = await fixture.open(person);
    assert.ok(!('refused' in operator), JSON.stringify(operator));
    await operator.until('people');
    return operator;
  };
  const live = async (permissions: readonly Permission[]): Promise<Operator> =>
    liveAs(await fixture.person(permissions));
  const isRefused = (operator: Operator, kind: FrameKindName): boolean =>
    operator.messages('refused').some((word) => word.kind === kind && word.message === noRight);

  /** Frames are answered in order: a refusal of what was sent before a ping arrives before its answer. */
  async function isRead(operator: Operator, number: number): Promise<void> {
    operator.send('ping', encodeNumber(number));
    await eventually(
      () => operator.received.map(({ kind, payload }) => [kind, kind === 'pong' && decodeNumber(payload)]),
      (received) => received.some(([kind, value]) => kind === 'end' || (kind === 'pong' && value === number)),
    );
  }

  /** The kinds that were performed, and those that the agent refused. */
  async function tryAll(
    attempt: FrameAttempt,
    permissions: readonly Permission[],
  ): Promise<[string[], string[]]> {
    const { operator } = attempt;
    const may = (kind: string): boolean =>
      (permissions as readonly string[]).includes(frameKinds[kind as FrameKindName].permission ?? '');
    for (const [index, [kind, check]] of Object.entries(frameChecks).entries()) {
      await check.send(attempt);
      if (may(kind))
        await eventually(
          async () => ({
            kind,
            done: (await check.isDone?.(attempt)) ?? true,
            refused: operator.messages('refused'),
          }),
          ({ done }) => done || isRefused(operator, kind as FrameKindName),
        );
      else await isRead(operator, index);
      check.undo?.(attempt);
    }
    const refused = Object.keys(frameChecks).filter((kind) => isRefused(operator, kind as FrameKindName));
    // Checked after everything permitted is done: by then what was refused has had as long to happen.
    const done: string[] = [];
    for (const [kind, check] of Object.entries(frameChecks))
      if (may(kind) || (await check.isDone?.(attempt)) === true) done.push(kind);
    return [done, refused];
  }

  const name = (permissions: readonly Permission[]): string => {
    const missing = allowable.filter((each) => !permissions.includes(each));
    if (missing.length === 0) return 'all permissions';
    return missing.length === 1 ? `all but ${missing[0]}` : permissions.join(' and ');
  };

  for (const permissions of sets)
    test(`with ${name(permissions)} exactly what it permits is done on the device`, async () => {
      await using direct = await openDirectOperator(() => live(permissions));
      const { operator } = direct;

      const [done, refused] = await tryAll({ fixture, operator, turn: (turn += 1) }, permissions);

      const isAllowed = (kind: string): boolean =>
        (permissions as readonly string[]).includes(frameKinds[kind as FrameKindName].permission ?? '');
      const all = Object.keys(frameChecks);
      assert.deepEqual([done, refused], [all.filter(isAllowed), all.filter((kind) => !isAllowed(kind))]);
    });

  test('without the permission to connect there is no session, whatever else a role allows', async () => {
    const answer = await fixture.open(await fixture.person(others));

    assert.ok('refused' in answer);
  });

  const pointerIsAt = async (x: number): Promise<boolean> => {
    const { client, root, call } = fixture.display.connection;
    return (await call<{ rootX: number }>((done) => client.QueryPointer(root, done))).rootX === x;
  };

  const unknownBytes = [0x00, 0x0b, 0x16, 0x26, 0x86, 0xff].filter((byte) => frameKindOf(byte) === undefined);
  const wrong = [
    ...(Object.entries(frameKinds) as [FrameKindName, FrameKind][])
      .filter(([, { from }]) => from === 'device')
      .map(([kind]) => kind),
    ...unknownBytes,
    'confirm',
  ] as const;
  for (const what of wrong)
    test(`an operator who sends ${typeof what === 'number' ? `a forged frame of the unknown kind ${what}, which is not sealed,` : `another ${what}`} is disconnected, and what follows is ignored`, async () => {
      await using direct = await openDirectOperator(() => live(allowable));
      const { operator } = direct;

      if (typeof what === 'number') operator.post(Uint8Array.from([what, ...Array<number>(40).fill(0)]));
      else operator.send(what, Buffer.from('{"version":1}'));
      operator.send('pointer', encodePointer({ x: 799, y: 5, buttons: 0 }));
      const end = await operator.until('end');
      await operator.gone;

      assert.deepEqual([end.by, await pointerIsAt(799)], ['fault', false]);
    });

  test('sealed frames of unknown kinds are skipped, and what follows is done', async () => {
    await using direct = await openDirectOperator(() => live(allowable));
    const { operator } = direct;

    for (const byte of unknownBytes) operator.send(byte, Buffer.alloc(40));
    operator.send('pointer', encodePointer({ x: 796, y: 5, buttons: 0 }));

    await eventually(() => pointerIsAt(796), Boolean);
    assert.deepEqual(operator.messages('end'), []);
  });

  test('nothing is done for an operator who has not proved its key', async () => {
    const operator = await fixture.open(await fixture.person(allowable), false);
    assert.ok(!('refused' in operator));
    await using _gone = operator;
    await eventually(operator.code, (code) => code !== '');

    operator.send('pointer', encodePointer({ x: 798, y: 5, buttons: 0 }));
    const end = await operator.until('end');

    assert.deepEqual(
      [end.message, await pointerIsAt(798)],
      ['The operator did not confirm the session key.', false],
    );
    assert.deepEqual(operator.messages('state'), []);
  });

  test('revoked permissions end the session even if nothing goes through the relay, and nothing is done afterwards', async () => {
    const person = await fixture.account.member();
    const { roleId } = await fixture.account.grant(person, {
      type: 'agent',
      agentId: fixture.device,
      permissions: [...allowable],
    });
    await using direct = await openDirectOperator(() => liveAs(person));
    const { operator } = direct;
    operator.send('pointer', encodePointer({ x: 500, y: 5, buttons: 0 }));
    await eventually(() => pointerIsAt(500), Boolean);

    await fixture.account.owner.call('team/role/edit', { id: roleId, permission: ['agent_connect'] });
    const end = await operator.until('end');
    operator.send('pointer', encodePointer({ x: 797, y: 5, buttons: 0 }));
    await operator.gone;
    await using next = await live(['agent_connect', 'agent_control']);
    next.send('pointer', encodePointer({ x: 600, y: 5, buttons: 0 }));
    await eventually(() => pointerIsAt(600), Boolean);

    assert.deepEqual([end.by, end.message], ['server', 'The permissions of this session have changed.']);
  });
});
