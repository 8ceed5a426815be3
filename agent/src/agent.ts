/** The agent: connects, reports what changed, runs commands, and reconnects until it is stopped or unlinked. */
import { setTimeout as pause } from 'node:timers/promises';
import type { CommandAnswer } from '@drawbridge/contract/uplink/commands';
import type { Facts, Fingerprint } from '@drawbridge/contract/uplink/facts';
import type { ClientOptions } from 'ws';
import { createClock } from '@drawbridge/session/clock';
import { nextTry } from './uplink/back-off.ts';
import type { CommandContext } from './commands/handler.ts';
import { runCommand } from './commands/index.ts';
import { createApprovals, type Approvals } from './four-eyes/approvals.ts';
import { hasApprovers, loadApprovers } from './four-eyes/approvers.ts';
import {
  connectOnce,
  type ConnectOptions,
  type UplinkOutcome,
  type UplinkHandle,
} from './uplink/connection.ts';
import { NotPossible, type Platform } from './platform/platform.ts';
import { startReports } from './uplink/reports.ts';
import { createLazySessions, type LazySessions } from './session/lazy-sessions.ts';
import { policyOf, removeState, saveState, type AgentState } from './state.ts';
import type { SelfUpdates } from './update/self-updates.ts';
import { createServerAddress, type ServerAddress } from './uplink/server-address.ts';

export interface AgentOptions {
  folder: string;
  state: AgentState;
  platform: Platform;
  version: string;
  /** Whether the agent runs as a service of the system. */
  installed: boolean;
  /** How to reach the server if there is no direct route. */
  connect?: ClientOptions;
  /** The same for the relay of a session; without it, `connect` is used. */
  connectToRelay?(relay: string): ClientOptions;
  random(): number;
  log(line: string): void;
  /** Stops the agent. */
  signal: AbortSignal;
  /** Creates what updates the agent; absent if this agent cannot update itself. */
  createUpdates?(sessions: Pick<LazySessions, 'isIdle'>): SelfUpdates;
}

/** Why the agent stopped. */
export type AgentExit = { why: 'stopped' } | { why: 'unlinked' | 'refused'; message: string };

export async function runAgent(agentOptions: AgentOptions): Promise<AgentExit> {
  const options = withSessions(agentOptions);
  try {
    return await keepConnected(options);
  } finally {
    options.updates?.stop();
    await options.sessions.stop('The agent on the device is stopping.');
  }
}

/** The options, the server's certificate, and the sessions, which outlive a connection. */
interface AgentContext extends AgentOptions {
  shown: { certificate: string };
  sessions: LazySessions;
  approvals: Approvals;
  address: ServerAddress;
  updates: SelfUpdates | undefined;
}

function withSessions(options: AgentOptions): AgentContext {
  const { state, platform, log, folder } = options;
  const shown = { certificate: '' };
  const now = (): number => Math.floor(Date.now() / 1_000);
  const approvals = createApprovals({
    approvers: () => loadApprovers(folder),
    device: () => ({ agent: state.id, name: state.name, device_key: state.publicKey }),
    now,
    clock: createClock(),
    log,
  });
  const sessions = createLazySessions({
    identity: () => state,
    certificates: () => [state.certificate, shown.certificate].filter((each) => each !== ''),
    connect: (relay) => options.connectToRelay?.(relay) ?? options.connect,
    platform,
    policy: () => policyOf(state),
    approvals,
    agentId: () => state.id,
    now,
    log,
  });
  const updates = options.createUpdates?.(sessions);
  return {
    ...options,
    shown,
    sessions,
    approvals,
    updates,
    address: createServerAddress(() => state.server),
  };
}

async function keepConnected(options: AgentContext): Promise<AgentExit> {
  const { platform, log, random, signal, address } = options;
  const fingerprint = await platform.fingerprint();
  let failures = 0;
  let session: UplinkOutcome['session'];
  while (!signal.aborted) {
    const outcome = await connectAndServe(options, fingerprint, session);
    session = outcome.move?.server === undefined ? outcome.session : undefined; // the session belongs to the old address
    const wasKnown = address.isKnown();
    address.connectionEnded(outcome);
    if (signal.aborted) break;
    if (wasKnown && outcome.refused && isFinal(outcome.refused.code)) return unlink(options, outcome.refused);
    if (outcome.unlinked) continue;
    failures = outcome.welcomed ? 0 : failures + 1;
    const wait = nextTry(outcome.move?.after_seconds, failures, random());
    log(`${outcome.reason}; retrying in ${Math.ceil(wait / 1_000)} s`);
    await pause(wait, undefined, { signal, ref: true }).catch(() => {});
  }
  return { why: 'stopped' };
}

/** Whether a retry cannot help. */
const isFinal = (code: NonNullable<UplinkOutcome['refused']>['code']): boolean =>
  code === 'unlinked' || code === 'invalid_token' || code === 'unknown_device';

async function unlink(
  { folder, platform, state, signal, log }: AgentOptions,
  refused: NonNullable<UplinkOutcome['refused']>,
): Promise<AgentExit> {
  if (refused.code === 'invalid_token' && state.id === 0) return { why: 'refused', message: refused.message };
  removeState(folder);
  log('this device was unlinked');
  await platform.notify('This device was unlinked from its Drawbridge account.', signal).catch(() => {});
  return { why: 'unlinked', message: refused.message };
}

/** Serves one connection. `unlinked`: the server has unlinked the device. */
async function connectAndServe(
  options: AgentContext,
  fingerprint: Fingerprint,
  session: UplinkOutcome['session'],
): Promise<UplinkOutcome & { unlinked: boolean }> {
  const { state, log, platform, signal, address } = options;
  const facts = await currentFacts(options);
  let reports: { stop(): void } | undefined;
  let uplink: UplinkHandle | undefined;
  let unlinked = false;
  // The next connection is then refused as unlinked by a server that proves its identity, and that ends the agent.
  const forget = async (): Promise<void> => {
    unlinked = true;
    await options.sessions.stop('The device was unlinked.');
    uplink?.close();
  };
  const applyPolicy = createPolicyReceiver(options);
  const outcome = await connectOnce({
    server: address.server(),
    credentials: state,
    facts,
    fingerprint,
    signal,
    session,
    ...(options.connect && { socketOptions: options.connect }),
    onWelcome: (...welcome) => saveWelcome(options, ...welcome),
    onReady(ready) {
      uplink = ready;
      options.updates?.connected(state.updates && ready.sendUpdate);
      reports = startReports(ready, { facts, platform, now: () => currentFacts(options), log });
    },
    mayMove: address.mayMove,
    onCommand: (name, input) => handleCommand(options, name, input, { forget, applyPolicy }),
  });
  reports?.stop();
  if (outcome.welcomed) options.updates?.disconnected();
  return { ...outcome, unlinked };
}

function saveWelcome(
  { state, folder, address, shown, log }: AgentContext,
  ...[welcome, serverKey, certificate]: Parameters<ConnectOptions['onWelcome']>
): void {
  shown.certificate = certificate;
  const { id, device_id: deviceId, owner, name, epoch } = welcome;
  const server = address.server();
  const { updates } = welcome;
  Object.assign(state, { server, id, deviceId, owner, name, epoch, serverKey, token: '', updates });
  saveState(folder, state);
  log(`connected as device ${deviceId} of ${owner}`);
}

/**
 * Stores each policy before it is applied, so that it counts from the start of the agent on. Of one connection the
 * numbers only rise; the first policy of a connection always counts, because the server may have been restored from a
 * backup.
 */
function createPolicyReceiver({ state, folder, sessions, log }: AgentContext): CommandContext['applyPolicy'] {
  let received = 0;
  return async (policy) => {
    if (policy.number < received) return;
    received = policy.number;
    saveState(folder, Object.assign(state, { policy }));
    log(`policy ${policy.number} applies`);
    sessions.policyChanged();
  };
}

async function handleCommand(
  options: AgentContext,
  name: string,
  input: unknown,
  connection: Pick<CommandContext, 'forget' | 'applyPolicy'>,
): Promise<CommandAnswer> {
  const { platform, state, folder, log } = options;
  log(`command received: ${name}`);
  const answer = await runCommand(name, input, {
    platform,
    sessions: options.sessions,
    approvals: options.approvals,
    afterReply: (work) => void setImmediate(() => void work().catch((error: unknown) => log(String(error)))),
    ...connection,
    rename: async (newName) => saveState(folder, Object.assign(state, { name: newName })),
    async update(version) {
      // The release key may be on the machine of the server.
      if (hasApprovers(folder))
        throw new NotPossible('A device with four eyes is updated only by its administrator.');
      if (!options.updates)
        throw new NotPossible('Only an agent that is installed as a service updates itself.');
      if (policyOf(state).update_channel === 'off')
        throw new NotPossible('The policy of the device does not allow updates.');
      if (!(await options.sessions.isIdle()))
        throw new NotPossible('An operator is connected to the device.');
      options.updates.request(version);
    },
  });
  if ('refused' in answer) log(`command refused: ${name}: ${answer.refused}`);
  return answer;
}

const currentFacts = async ({ platform, version, installed }: AgentOptions): Promise<Facts> => ({
  ...(await platform.facts()),
  version,
  installed,
});
