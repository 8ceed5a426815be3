/** Runs the agent until it is told to stop or its device is unlinked. */
import { isSea } from 'node:sea';
import { parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import type { AgentArguments } from './arguments.ts';
import { agentFolder } from './folder.ts';
import { runAgent } from './agent.ts';
import { choosePlatform } from './platform/choose.ts';
import { trimMemoryPeriodically } from './platform/linux/trim-memory.ts';
import { requirePrivateFolder, securePrivateFolder } from './platform/private-folder.ts';
import { NotPossible } from './platform/platform.ts';
import { proxyOptions } from './uplink/proxy.ts';
import { loadState, newState, saveState, type AgentState } from './state.ts';
import { readGivenTrust } from './uplink/given-trust.ts';
import { trustAuthorities } from './uplink/trust.ts';
import { ownUpdates } from './update/own-updates.ts';
import { agentVersion } from './version.ts';

/** Loads the state of this device, or creates it from a server and a token. */
export function stateFor(options: AgentArguments, folder: string): AgentState {
  const { server, token } = options;
  const trust = readGivenTrust(options);
  const known = loadState(folder);
  const isSame = known && (server === undefined || new URL(server).origin === known.server);
  const hasJoined = known && known.id !== 0;
  if (isSame && (hasJoined || token === undefined))
    return saveIfChanged(folder, known, { ...known, ...trust });
  if (hasJoined)
    throw new NotPossible(
      `This device has joined ${known.server}. Uninstall the agent before you join another server.`,
    );
  if (server === undefined || token === undefined)
    throw new NotPossible('This device has not joined a server yet: --server and --token are needed.');
  const read = parseEnrolmentToken(token);
  if (!read)
    throw new NotPossible(
      '--token is not an enrolment token. A token starts with dbe1_; create one with agents/enroll/create.',
    );
  const url = new URL(server);
  if (url.protocol !== 'https:')
    throw new NotPossible('--server must be an https URL, such as https://example.com.');
  const state: AgentState = {
    ...newState(url.origin, read.secret, read.certificate),
    ...trust,
    // The key is kept, because the server may know it already even if the device never received the answer.
    ...(isSame && { publicKey: known.publicKey, privateKey: known.privateKey }),
  };
  saveState(folder, state);
  return state;
}

function saveIfChanged(folder: string, known: AgentState, state: AgentState): AgentState {
  const isSame = known.certificate === state.certificate && known.authorities === state.authorities;
  if (!isSame) saveState(folder, state);
  return state;
}

/** Not 0, so that the service manager starts the agent again. */
export const restartCode = 75;

export async function runInForeground(options: AgentArguments): Promise<number> {
  const end = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => end.abort());
  const log = (line: string): void => console.log(`${new Date().toISOString()} ${line}`);
  return runUntilAborted(options, end.signal, log);
}

/** Returns the exit code: not 0 only if the agent should be started again. */
export async function runUntilAborted(
  options: AgentArguments,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<number> {
  const folder = options.service
    ? requirePrivateFolder(agentFolder()) // `install` has restricted the access
    : await securePrivateFolder(agentFolder());
  const state = stateFor(options, folder);
  if (state.certificate === '' || state.authorities) trustAuthorities(state.authorities);
  if (isSea() && process.platform === 'linux') trimMemoryPeriodically();
  const platform = await choosePlatform(process.env, log, options.service);
  await platform
    .recover()
    .catch((error: unknown) =>
      log(`What the last session changed on the device could not be undone: ${String(error)}`),
    );
  const restarting = new AbortController();
  const restart = (): void => restarting.abort();
  const exit = await runAgent({
    folder,
    state,
    platform,
    version: agentVersion,
    installed: options.service === true,
    connect: proxyOptions(state.server, process.env),
    connectToRelay: (relay) => proxyOptions(relay, process.env),
    random: Math.random,
    log,
    signal: AbortSignal.any([signal, restarting.signal]),
    ...(options.service && ownUpdates({ stateFolder: folder, state, restart, log })),
  });
  if (exit.why !== 'stopped') log(exit.message);
  // 0 for an unlinked service, so that the system does not restart it again and again.
  if (exit.why === 'refused') return 1;
  return restarting.signal.aborted ? restartCode : 0;
}
