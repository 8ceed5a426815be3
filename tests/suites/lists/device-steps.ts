/** Random changes of devices, their presence and their sessions that lists show. */
import { random } from '@drawbridge/server/edges/random';
import { arrival, someDigest, unique } from '../store/fixture.ts';
import {
  agentOf,
  gone,
  groupOf,
  without,
  type ShownChange,
  type Step,
  type StepContext,
} from './step-context.ts';

const nodeOf = ({ draw }: StepContext): string => draw.oneOf('node 1', 'node 2');
const leaseOf = ({ store, draw }: StepContext): number => store.now() + 5 + draw.below(60);

const report = ({ draw }: StepContext) => ({
  facts: { ...arrival.facts, os_user: `user ${draw.below(3)}`, addresses: [`10.0.0.${draw.below(3)}`] },
  geo: { ...arrival.geo, city: `City ${draw.below(3)}` },
});

export const deviceSteps: Pick<
  Record<ShownChange, Step>,
  | `agents/${'add' | 'rename' | 'policy' | 'update' | 'move' | 'remove' | 'merge' | 'favor'}`
  | 'enroll/join'
  | `devices/${'arrive' | 'facts'}`
  | `presence/${'end' | 'renew' | 'extend' | 'release'}`
  | 'server/clock-jump'
> = {
  'agents/add': async (context) => {
    const { accountId, agents } = context.account;
    const added = await context.run('agents/add', {
      accountId,
      deviceIds: [Number(random.digits(9)), Number(random.digits(9))],
      name: `Device ${context.draw.below(5)}`,
      groupId: context.draw.oneOf(null, groupOf(context)),
      secret: random.token(),
      os: 'linux',
      hardware: '{}',
    });
    if (added) agents.push(added.id);
  },
  'agents/rename': (context) =>
    context.run('agents/rename', {
      accountId: context.account.accountId,
      id: agentOf(context),
      name: `Device ${context.draw.below(9)}`,
    }),
  'agents/policy': (context) =>
    context.run('agents/policy', {
      accountId: context.account.accountId,
      id: agentOf(context),
      policy: { onetime_url: context.draw.oneOf('inherit', 'allow', 'forbid') },
    }),
  'agents/update': (context) =>
    context.run('agents/update', {
      accountId: context.account.accountId,
      by: context.account.ownerId,
      id: agentOf(context),
      permanent: { enable: context.draw.oneOf(true, false), url: unique(), password: 'a hash' },
    }),
  'agents/move': (context) =>
    context.run('agents/move', {
      accountId: context.account.accountId,
      by: context.account.ownerId,
      id: agentOf(context),
      groupId: context.draw.oneOf(null, groupOf(context)),
    }),
  'agents/remove': async (context) => {
    const id = agentOf(context);
    await context.run('agents/remove', { accountId: context.account.accountId, id });
    context.account.agents = without(context.account.agents, id);
  },
  'agents/merge': async (context) => {
    const { accountId, ownerId: by } = context.account;
    const [sourceId, targetId] = [agentOf(context), agentOf(context)];
    if (sourceId === targetId) return;
    await context.run('agents/merge', { accountId, by, sourceId, targetId });
    context.account.agents = without(context.account.agents, sourceId);
  },
  'agents/favor': async (context) => {
    const { account: of, draw, run } = context;
    const { id: memberId } = draw.pick(of.people)!;
    const id = draw.pick(of.agents)!;
    await run('agents/favor', { accountId: of.accountId, memberId, id, favorite: draw.oneOf(true, false) });
  },
  'enroll/join': async (context) => {
    const { account: of, run, store } = context;
    const [token, memberId] = [someDigest(), of.ownerId];
    const until = { uses: 1, expireTime: store.now() + 600 };
    await run('enroll/create', { accountId: of.accountId, memberId, digest: token, groupId: null, ...until });
    const device = { publicKey: unique(), deviceIds: [Number(random.digits(9))], secret: random.token() };
    const joined = await run('enroll/join', { token, ...device, ...report(context) });
    if (joined) of.agents.push(joined.id);
  },
  'devices/arrive': (context) =>
    context.run('devices/arrive', {
      accountId: context.account.accountId,
      id: agentOf(context),
      presented: '',
      epoch: unique(),
      uplinkVersion: 3,
      ...report(context),
    }),
  'devices/facts': (context) =>
    context.run('devices/facts', {
      accountId: context.account.accountId,
      id: agentOf(context),
      ...report(context),
    }),
  'presence/renew': (context) =>
    context.run('presence/renew', {
      node: nodeOf(context),
      agents: context.account.agents.map((id) => ({ id })),
      leaseUntil: leaseOf(context),
    }),
  'presence/extend': (context) =>
    context.run('presence/extend', { node: nodeOf(context), leaseUntil: leaseOf(context) }),
  'presence/end': (context) =>
    context.run('presence/end', { node: nodeOf(context), ids: [agentOf(context)] }),
  'server/clock-jump': (context) =>
    context.run('server/clock-jump', { seconds: context.draw.below(80) - 40 }),
  'presence/release': (context) =>
    context.run('presence/release', { node: context.draw.oneOf(nodeOf(context), 'all') }),
};

async function startSession({ account: of, draw, run, store }: StepContext): Promise<number> {
  const opening = { origin: 'api', permissions: [], secretDigest: '', record: false } as const;
  const started = await run('sessions/start', {
    accountId: of.accountId,
    memberId: of.ownerId,
    agentId: draw.pick(of.agents)!,
    invitationId: null,
    start: store.now(),
    login: 'someone',
    userAgent: `Browser ${draw.below(3)}`,
    geo: arrival.geo,
    ...(draw.below(2) === 0 && { opening }),
  });
  if (!started) return gone;
  of.sessions = [...of.sessions.slice(-5), started.id];
  return started.id;
}

/** A new session or an earlier one, which may have ended. */
async function sessionOf(context: StepContext): Promise<{ accountId: number; id: number }> {
  const { account: of, draw } = context;
  const id = draw.oneOf(draw.pick(of.sessions), undefined) ?? (await startSession(context));
  return { accountId: of.accountId, id };
}

export const sessionSteps: Pick<
  Record<ShownChange, Step>,
  `sessions/${'start' | 'begin' | 'resume' | 'stop' | 'bury'}`
> = {
  'sessions/start': startSession,
  'sessions/begin': async (context) => context.run('sessions/begin', await sessionOf(context)),
  'sessions/resume': async (context) =>
    context.run('sessions/resume', { ...(await sessionOf(context)), permissions: [] }),
  'sessions/stop': async (context) =>
    context.run('sessions/stop', {
      ...(await sessionOf(context)),
      bytes: 1,
      by: context.draw.oneOf('operator', 'lost'),
    }),
  'sessions/bury': ({ run, store }) => run('sessions/bury', { silentSince: store.now() - 30 }),
};
