/** What the agent keeps on disk: its key, its owner, and the secret of the last connection. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defaultPolicy, type Policy } from '@drawbridge/contract/policy';
import type { CommandInput } from '@drawbridge/contract/uplink/commands';
import { replaceFile } from './durable-file.ts';
import { createDeviceKey } from './uplink/keys.ts';

export interface AgentState {
  server: string;
  /** The pin of the expected certificate; empty if a trusted authority signed it. */
  certificate: string;
  /** The authorities to trust in addition, as certificates in PEM. */
  authorities?: string;
  /** The server's own key, known since the first connection; no other server is trusted afterwards. */
  serverKey: string;
  privateKey: string;
  publicKey: string;
  epoch: string;
  /** The secret part of the token, until the device has joined. */
  token: string;
  id: number;
  deviceId: number;
  owner: string;
  name: string;
  /** The policy that the server sent last; absent if it never sent one. */
  policy?: CommandInput<'policy'>;
  /** Whether the account lets the device update itself; absent until the server has said so. */
  updates?: 'on' | 'off';
}

const fileIn = (folder: string): string => join(folder, 'agent.json');

/** The state of a device that has not joined yet. */
export const newState = (server: string, token: string, certificate: string): AgentState => ({
  server,
  certificate,
  serverKey: '',
  ...createDeviceKey(),
  epoch: '',
  token,
  id: 0,
  deviceId: 0,
  owner: '',
  name: '',
});

/** A policy that an earlier version stored may lack settings. */
export const policyOf = ({ policy }: AgentState): Policy => ({ ...defaultPolicy, ...policy?.policy });

/** Whether the device may look for a release itself while it cannot join. */
export const mayLookForRelease = (state: AgentState): boolean =>
  state.updates === 'on' && policyOf(state).update_channel !== 'off';

export function loadState(folder: string): AgentState | undefined {
  try {
    return JSON.parse(readFileSync(fileIn(folder), 'utf8')) as AgentState;
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}

export function saveState(folder: string, state: AgentState): void {
  const file = fileIn(folder);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  replaceFile(file, JSON.stringify(state, null, 2));
}

/** Also removes what an interrupted save left behind. */
export function removeState(folder: string): void {
  for (const file of [fileIn(folder), `${fileIn(folder)}.new`]) rmSync(file, { force: true });
}
