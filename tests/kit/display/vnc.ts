/**
 * A device whose screen only a VNC server shows: a real server, with a display for the agent's windows that
 * claims to be XWayland.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { challengeResponse } from '@drawbridge/agent/platform/linux/vnc/security';
import { startXServer, type TestDisplay } from './display.ts';
import { findVncServer } from '../requirements.ts';
import { freePort } from '../free-port.ts';

export interface VncDisplay extends TestDisplay {
  port: number;
  /** A folder for this test, removed afterwards. */
  folder: string;
}

export interface VncOptions {
  /** The password of viewers. */
  password?: string;
  /** A socket path in the folder to listen at, instead of a port. */
  socket?: string;
}

const settings = ['DRAWBRIDGE_AGENT_VNC', 'DRAWBRIDGE_AGENT_VNC_PASSWORD_FILE'];

/** Sets the agent's settings until disposed. */
export async function startVncDisplay(
  width: number,
  height: number,
  { password, socket }: VncOptions = {},
): Promise<VncDisplay> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-vnc-'));
  const port = await freePort();
  const display = await startXServer(findVncServer()!, [
    '-geometry',
    `${width}x${height}`,
    '-depth',
    '24',
    '-localhost',
    '-AlwaysShared',
    ...(socket ? ['-rfbport', '-1', '-rfbunixpath', join(folder, socket)] : ['-rfbport', `${port}`]),
    ...(password ? ['-PasswordFile', obfuscated(folder, password)] : ['-SecurityTypes', 'None']),
  ]);
  await display.divide([width], 'XWAYLAND');
  process.env['DRAWBRIDGE_AGENT_VNC'] = socket ? join(folder, socket) : `127.0.0.1:${port}`;
  return {
    ...display,
    port,
    folder,
    async [Symbol.asyncDispose]() {
      for (const name of settings) delete process.env[name];
      await display[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The server stores passwords encrypted with a fixed, publicly known key. */
function obfuscated(folder: string, password: string): string {
  const known = Buffer.of(23, 82, 107, 6, 35, 78, 88, 7).toString('latin1');
  const path = join(folder, 'server-password');
  writeFileSync(
    path,
    challengeResponse(Buffer.alloc(8).fill(password + '\0'.repeat(8), 0, 8, 'latin1'), known),
  );
  return path;
}
