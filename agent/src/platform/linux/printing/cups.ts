/** Adds printers to CUPS and removes them, with its own command. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { execute } from '../../execute.ts';
import { forgetPrinter, printersLeft, rememberPrinter } from '../../marks/printer-mark.ts';
import { NotPossible } from '../../platform.ts';
import type { PrinterOptions } from '../../printing/session-printer.ts';
import { loginsOf } from '../inventory/logins.ts';
import { printerDescription } from './ppd.ts';

const timeoutMs = 10_000;
const loginsTimeoutMs = 1_000;

/** Adds a printer that sends its jobs to this port of the device. */
export async function addToCups({ name, description }: PrinterOptions, port: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-printer-'));
  const ppd = join(folder, 'printer.ppd');
  try {
    await writeFile(ppd, printerDescription);
    // Before it exists: an agent that is killed in between may have added it.
    rememberPrinter(name);
    // SNMP would delay each job by seconds.
    const address = `socket://127.0.0.1:${port}/?snmp=false&contimeout=10`;
    const settings = ['printer-is-shared=false', 'printer-error-policy=abort-job'];
    const options = settings.flatMap((setting) => ['-o', setting]);
    const described = ['-P', ppd, '-D', description, '-v', address];
    await lpadmin(['-p', name, '-E', ...described, ...options, ...(await allowedUsers())]);
  } catch (error) {
    await removeFromCups(name).catch(() => {});
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes a printer with its jobs. A printer that somebody else has removed is no error. */
export async function removeFromCups(name: string): Promise<void> {
  await lpadmin(['-x', name]).catch((error: unknown) => {
    if (!String(error).includes('does not exist')) throw error;
  });
  forgetPrinter(name);
}

/** Removes what an agent left behind that was killed. */
export async function removeLeftPrinters(): Promise<void> {
  for (const name of printersLeft()) await removeFromCups(name);
}

/** Names that CUPS does not read as a group or a list. */
const plainName = /^[\w.-]+$/;

/** The people at the device, if the login manager knows them, and the user of terminals. CUPS believes the names that programs tell it. */
async function allowedUsers(): Promise<string[]> {
  if (process.getuid?.() !== 0) return [];
  const properties = ['Name', 'Class', 'Active', 'Seat'] as const;
  const logins = await loginsOf(execute, properties, loginsTimeoutMs).catch(() => []);
  const people = logins
    .filter(({ Class, Active, Seat }) => Class === 'user' && Active === 'yes' && Seat)
    .map(({ Name = '' }) => Name);
  if (people.length === 0 || !people.every((name) => plainName.test(name))) return [];
  return ['-u', `allow:${[...new Set([userInfo().username, ...people])].join(',')}`];
}

/** Runs in a session of its own: in that of a terminal it would ask for a password there. */
async function lpadmin(args: readonly string[]): Promise<void> {
  const child = spawn('lpadmin', args, {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: timeoutMs,
    env: { ...process.env, LC_ALL: 'C' },
  });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]).catch(() => {
    throw new NotPossible(
      'Printing is not possible: CUPS (packages cups and cups-filters) is not installed on the device.',
    );
  });
  if (code !== 0) throw new NotPossible(`Printing is not possible: ${reasonOf(errors)}`);
}

function reasonOf(errors: string): string {
  if (/forbidden|unauthorized|not authorized|password/i.test(errors))
    return `the agent runs as ${userInfo().username}, who may not add printers. Install the agent as a service, or add this user to the group lpadmin.`;
  if (/unable to connect|scheduler|bad file descriptor|no such file/i.test(errors))
    return 'CUPS does not run on the device.';
  const [last = ''] = errors.trim().split('\n').slice(-1);
  return last.replace(/^lpadmin: /, '').slice(0, 200) || 'CUPS does not answer.';
}
