/** What the agent keeps on disk: its key, whom it belongs to, and the secret of the last connection. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createDeviceKey } from './uplink/keys.ts';

export interface AgentState {
  server: string;
  /** SHA-256 of the certificate to expect, base64url; empty where everybody trusts it. */
  certificate: string;
  /** The server's own key, known since the first connection: no other server is believed afterwards. */
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

export function loadState(folder: string): AgentState | undefined {
  try {
    return JSON.parse(readFileSync(fileIn(folder), 'utf8')) as AgentState;
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces the file whole and waits for the disk: cut off at any moment, the old or the new state is there. */
export function saveState(folder: string, state: AgentState): void {
  const file = fileIn(folder);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // A file left by an interrupted save is removed; a link of that name is not followed.
  rmSync(`${file}.new`, { force: true });
  const descriptor = openSync(`${file}.new`, 'wx', 0o600);
  writeSync(descriptor, JSON.stringify(state, null, 2));
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(`${file}.new`, file);
  if (process.platform !== 'win32') syncFolder(dirname(file));
}

/** Without this a power cut could bring the old file back. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** With what a save that was cut off has left. */
export function removeState(folder: string): void {
  for (const file of [fileIn(folder), `${fileIn(folder)}.new`]) rmSync(file, { force: true });
}
