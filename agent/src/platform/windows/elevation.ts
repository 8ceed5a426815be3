/** Administrator rights for a program that runs without them: Windows asks the person, and starts it again. */
import { isSea } from 'node:sea';
import type { Elevation } from '../platform.ts';
import { wideText } from './api/wide-text.ts';
import { loadWindowsApi, type WindowsApi } from './api/windows-api.ts';

const currentProcess = -1;
const tokenQuery = 0x8;
const tokenElevation = 20;

/** Whether this process has administrator rights. */
export function isElevated(api: WindowsApi): boolean {
  const [token, value, length] = [Buffer.alloc(8), Buffer.alloc(4), Buffer.alloc(4)];
  if (!api.OpenProcessToken(currentProcess, tokenQuery, token)) return false;
  const handle = token.readBigUInt64LE();
  const isRead = api.GetTokenInformation(handle, tokenElevation, value, value.length, length);
  api.CloseHandle(handle);
  return isRead !== 0 && value.readUInt32LE() !== 0;
}

/** Undefined if this process has administrator rights. */
export async function openElevation(): Promise<Elevation | undefined> {
  const api = await loadWindowsApi();
  return isElevated(api) ? undefined : { run: (args) => runElevated(api, args) };
}

/** Offsets in SHELLEXECUTEINFOW. */
const request = { bytes: 112, mask: 4, verb: 16, file: 24, parameters: 32, show: 48, process: 104 } as const;
const keepProcess = 0x40;
const showNormal = 1;
const forever = 0xffff_ffff;

/** Resolves with the exit code of the program; undefined if the person has declined, or Windows refuses. */
async function runElevated(api: WindowsApi, args: readonly string[]): Promise<number | undefined> {
  const all = [...(isSea() ? [] : [process.argv[1]!]), ...args];
  const texts = ['runas', process.execPath, all.map(quoteArgument).join(' ')].map(wideText);
  const bytes = Buffer.alloc(request.bytes);
  bytes.writeUInt32LE(request.bytes, 0);
  bytes.writeUInt32LE(keepProcess, request.mask);
  [request.verb, request.file, request.parameters].forEach((offset, index) =>
    bytes.writeBigUInt64LE(api.koffi.address(texts[index]!), offset),
  );
  bytes.writeUInt32LE(showNormal, request.show);
  // In another thread, because Windows waits for the answer of the person.
  const isStarted = await api.ShellExecuteExW.async(bytes);
  // Windows has read the texts through their addresses, so they must exist until here.
  const child = texts.length > 0 ? bytes.readBigUInt64LE(request.process) : 0n;
  if (!isStarted || child === 0n) return undefined;
  await api.WaitForSingleObject.async(child, forever);
  const code = Buffer.alloc(4);
  api.GetExitCodeProcess(child, code);
  api.CloseHandle(child);
  return code.readUInt32LE();
}

/** Programs on Windows split their command line themselves: backslashes count as such unless a quote follows them. */
export const quoteArgument = (text: string): string =>
  `"${text.replace(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1')}"`;
