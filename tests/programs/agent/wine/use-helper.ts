/** Uses a terminal in the process of the signed-in person, and ends that process while it is used. */
import { readFileSync } from 'node:fs';
import type { Platform } from '@drawbridge/agent/platform/platform';
import { shellUnderWine } from '../../../kit/agent/shell-under-wine.ts';
import { eventually } from '../../../kit/eventually.ts';
import { messageOf } from './transfer-files.ts';

/** The environment of a service. The process of the person gets only its settings. */
export const serviceEnvironment = {
  DRAWBRIDGE_AGENT_SHELL: shellUnderWine,
  SECRET_OF_THE_SERVICE: 'secret',
};

/** Where the process writes its number. */
export const helperPidFile = 'C:\\helper.pid';

async function openTerminal(platform: Platform) {
  const shell = await platform.shell({ columns: 80, rows: 24 });
  const seen = { output: '', ended: '' };
  shell.onData((data) => (seen.output += Buffer.from(data).toString()));
  shell.onEnd((message) => (seen.ended = message));
  const shows = (pattern: RegExp) =>
    eventually(
      () => seen.output,
      (text) => pattern.test(text),
    );
  const hasEnded = () =>
    eventually(
      () => seen.ended,
      (message) => message !== '',
    );
  await shows(/>/);
  return { shell, seen, shows, hasEnded };
}

export async function useTerminal(platform: Platform) {
  const { shell, shows, hasEnded } = await openTerminal(platform);
  shell.resize(100, 30);
  shell.write(Buffer.from('echo from-%OS%\r'));
  await shows(/from-Windows_NT/);
  shell.write(Buffer.from('echo [%SECRET_OF_THE_SERVICE%]-\r'));
  const output = await shows(/\]-[^]*\]-/);
  shell.write(Buffer.from('exit\r'));
  return { ended: await hasEnded(), hasSecret: output.includes('[secret]') };
}

/** The person ends the process in the Task Manager while a file is uploaded and a terminal is open. */
export async function endHelper(platform: Platform) {
  const files = await platform.files();
  const upload = await files.create({ path: '/C:/files/late.bin', size: 10, replace: false });
  const { shell, hasEnded } = await openTerminal(platform);
  const before = readFileSync(helperPidFile, 'utf8');
  process.kill(Number(before));
  const terminal = await hasEnded();
  const transfer = await messageOf(upload.write(0, Buffer.alloc(10)));
  await upload.discard();
  shell.close();
  const listed = (await files.list('/C:/files')).entries.map(({ name }) => name);
  return { terminal, transfer, listed, isOther: readFileSync(helperPidFile, 'utf8') !== before };
}
