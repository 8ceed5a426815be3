/** Agents and pages of different versions: what both know works, and what one does not know is not sent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentSessions, AgentSessionsOptions } from '@drawbridge/agent/session/agent-sessions';
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { OpenReply } from '@drawbridge/contract/session/open';
import { createClock } from '@drawbridge/session/clock';
import { createKeyPins } from '@drawbridge/session/operator/key-pins';
import { openSession, type OperatorSession, type SessionApi } from '@drawbridge/session/operator/operator';
import type { Payload } from '@drawbridge/session/payloads';
import { operatorPorts } from '@drawbridge/web/console/operator-ports';
import { createPermissionProbe } from '../../kit/session/permission-probe.ts';
import { openSessionFixture, type SessionFixture } from '../../kit/session/session-fixture.ts';

/** Built from the last version without a version of the session protocol (5a2be86); they import only packages. */
const oldAgent = './fixtures/agent-v1.mjs';
const oldOperator = './fixtures/operator-v1.mjs';

type OpenSessions = (options: AgentSessionsOptions) => AgentSessions;

async function openOldSessions(): Promise<OpenSessions> {
  const { createSessions, parts } = (await import(oldAgent)) as {
    createSessions(options: object): AgentSessions;
    parts: unknown;
  };
  return (options) => {
    const sessions = createSessions({ ...options, parts });
    return { ...sessions, open: async (input) => sessions.open(input) };
  };
}

type OpenOperator = (api: SessionApi) => OperatorSession;

const storage = () => ({ getItem: () => null, setItem: () => {} });
const openCurrent: OpenOperator = (api) =>
  openSession({
    ...operatorPorts,
    from: { code: 'code' },
    api,
    pins: createKeyPins(storage()),
    clock: createClock(),
  });

async function openOldOperator(): Promise<OpenOperator> {
  const old = (await import(oldOperator)) as {
    openSession(options: object): OperatorSession;
    createPins(drawer: object): object;
    createClock(): object;
  };
  return (api) =>
    old.openSession({
      from: { code: 'code' },
      doors: api,
      pins: old.createPins(storage()),
      clock: old.createClock(),
    });
}

/** The server's part: a grant for the operator's key, and the device told of it. */
const apiOf = (fixture: SessionFixture): SessionApi => {
  const open = async (key: string): Promise<OpenReply> => {
    const { input, operatorOptions } = fixture.invite({ session: 7, grant: { operator_key: key } });
    await fixture.sessions.open({ ...input });
    return {
      session: 7,
      secret: 'secret',
      ticket: operatorOptions.ticket,
      relay: fixture.plainRelay,
      pair: operatorOptions.pair,
      server_key: operatorOptions.serverKey,
      device: { id: 12, name: 'desk', os: 'linux', key: operatorOptions.deviceKey },
      permissions: [],
      record: false,
      name: 'Olga',
    };
  };
  return {
    open: (_code, key) => open(key),
    resume: (_token, key) => open(key),
    note: async () => true,
    alarm: async () => true,
  };
};

const next = <Kind extends FrameKindName>(
  session: OperatorSession,
  kind: Kind,
  fits: (payload: Payload<Kind>) => boolean = () => true,
): Promise<Payload<Kind>> =>
  new Promise((resolve) => {
    const stop = session.on(kind, (payload) => {
      if (!fits(payload)) return;
      stop();
      resolve(payload);
    });
  });

const until = (session: OperatorSession, phase: string): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (session.state.phase === phase) resolve();
    };
    session.onChange(look);
    look();
  });

/** Uses every feature that answers, and ends the session from the operator's side. */
async function exercise(session: OperatorSession): Promise<Record<string, unknown>> {
  await until(session, 'live');
  const programs = next(session, 'programs');
  session.send('software', {});
  const listed = next(session, 'file_answer');
  session.send('file', { do: 'list', id: 1, path: '/' });
  const layout = next(session, 'layout');
  session.send('view', { monitor: 0, video: false, fresh: true });
  session.send('pointer', { x: 1, y: 1, buttons: 0 });
  session.send('clipboard', { text: 'copied' });
  session.send('lock', {});
  const people = next(session, 'people', (all) => all.people.some(({ driver }) => driver));
  session.send('drive', { to: 'me' });
  const result = {
    programs: Array.isArray((await programs).programs),
    files: (await listed).id,
    layout: (await layout).width > 0,
    driver: (await people).people[0]?.driver,
    code: session.code.length,
  };
  session.end();
  await session.ended;
  return result;
}

const expected = { programs: true, files: 1, layout: true, driver: true, code: 14 };
const versions: [string, () => Promise<OpenSessions | undefined>, () => Promise<OpenOperator>][] = [
  ['an agent and a page of this version', async () => undefined, async () => openCurrent],
  ['an agent of version 1 and a page of this version', openOldSessions, async () => openCurrent],
  ['an agent of this version and a page of version 1', async () => undefined, openOldOperator],
];

for (const [name, agent, page] of versions)
  test(`${name}: every feature that both know works`, async () => {
    const { platform, touched } = createPermissionProbe();
    const openSessions = await agent();
    await using fixture = await openSessionFixture({ platform, ...(openSessions && { openSessions }) });
    const open = await page();

    assert.deepEqual(await exercise(open(apiOf(fixture))), expected);

    for (const permission of ['agent_control', 'agent_clipboard', 'agent_lock_screen'] as const)
      assert.ok(touched.has(permission), permission);
  });
