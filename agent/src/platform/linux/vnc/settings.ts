/** The address and password of the device's VNC server; settings that would let others read the data are refused. */
import { isIPv4 } from 'node:net';
import { NotPossible } from '../../platform.ts';
import { openRegularFile } from '../files/handles.ts';

export const vncSetting = 'DRAWBRIDGE_AGENT_VNC';
export const passwordSetting = 'DRAWBRIDGE_AGENT_VNC_PASSWORD_FILE';
/** The settings that `install` passes on to the service. */
export const vncSettings: readonly string[] = [vncSetting, passwordSetting];

export type VncAddress = { host: string; port: number } | { path: string };

/** Undefined if no server is set. */
export function vncAddress(env: NodeJS.ProcessEnv = process.env): VncAddress | undefined {
  const value = env[vncSetting];
  if (!value) return undefined;
  if (value.startsWith('/')) return { path: value };
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(value) ?? [];
  const [host, port] = [bracketed ?? plain, Number(digits)];
  if (host === undefined || port < 1 || port > 65_535)
    throw new NotPossible(
      `${vncSetting} is ${value}: it must be an address with a port, such as 127.0.0.1:5900, or the path of a socket.`,
    );
  if (host === 'localhost') return { host: '127.0.0.1', port };
  if (!isLoopback(host))
    throw new NotPossible(
      `${vncSetting} names ${host}: it must be an address of this device itself, such as 127.0.0.1, because the screen and the password would travel unencrypted.`,
    );
  return { host, port };
}

const isLoopback = (host: string): boolean => host === '::1' || (isIPv4(host) && host.startsWith('127.'));

export const formatVncAddress = (address: VncAddress): string =>
  'path' in address
    ? address.path
    : `${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`;

const openToOthers = 0o077;
const maxFileBytes = 1_024;

/** The first line of the password file; undefined if no file is set. */
export async function vncPassword(env: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  const path = env[passwordSetting];
  if (!path) return undefined;
  const file = await openRegularFile(path, () => true).catch((error: NodeJS.ErrnoException) => {
    throw new NotPossible(`The file ${path} that ${passwordSetting} names cannot be read: ${error.code}.`);
  });
  if (!file) throw new NotPossible(`${path} that ${passwordSetting} names is not a regular file.`);
  try {
    const { mode, size } = await file.stat();
    if ((mode & openToOthers) !== 0)
      throw new NotPossible(
        `The file ${path} that ${passwordSetting} names can be accessed by other users. Let only its owner read it (chmod 600).`,
      );
    if (size > maxFileBytes)
      throw new NotPossible(`The file ${path} that ${passwordSetting} names is too long for a password.`);
    return (await file.readFile('latin1')).split(/\r?\n/, 1)[0];
  } finally {
    await file.close();
  }
}
