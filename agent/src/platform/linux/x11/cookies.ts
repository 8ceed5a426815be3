/** Finds cookies that may open a display: in the agent's own file, and in the files of programs that use the display. */
import { readFile, stat } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { withoutScreen } from '../display.ts';
import { namesIn } from '../inventory/system-files.ts';
import { openRegularFile } from '../files/handles.ts';

export interface XauthCookie {
  name: string;
  /** One character for each byte. */
  data: string;
}

/** For displays that need no cookie. */
const noCookie: XauthCookie = { name: '', data: '' };
const kind = 'MIT-MAGIC-COOKIE-1';
const [local, wild] = [256, 65_535];
const maxBytes = 65_536;
/** The most cookies that are tried, however many the programs of a device name. */
const maxCookies = 8;

/** Yields them one by one, because the search takes a while; the last one is empty. */
export async function* cookiesFor(display: string): AsyncGenerator<XauthCookie> {
  const seen = new Set<string>();
  const own = { path: process.env['XAUTHORITY'] || join(homedir(), '.Xauthority'), uid: undefined };
  for await (const { path, uid } of filesFor(display, own)) {
    const file = await cookieFile(path, uid).catch(() => undefined);
    const cookie = file && cookieIn(file, display.slice(1), hostname());
    if (!cookie || seen.has(cookie.data)) continue;
    seen.add(cookie.data);
    yield cookie;
    if (seen.size === maxCookies) break;
  }
  yield noCookie;
}

interface CookieFile {
  path: string;
  /** The user of the process that names the file. */
  uid: number | undefined;
}

/** The programs of a session have the path of the cookie file in their environment, which root can read. */
async function* filesFor(display: string, own: CookieFile): AsyncGenerator<CookieFile> {
  yield own;
  for (const pid of (await namesIn('/proc')).filter((name) => /^\d+$/.test(name))) {
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
    if (!environment.includes('DISPLAY=')) continue;
    const value = (name: string): string | undefined =>
      environment
        .split('\0')
        .find((each) => each.startsWith(`${name}=`))
        ?.slice(name.length + 1);
    const path = value('XAUTHORITY');
    if (!path || withoutScreen(value('DISPLAY') ?? '') !== display) continue;
    const process = await stat(`/proc/${pid}`).catch(() => undefined);
    if (process) yield { path, uid: process.uid };
  }
}

/** Reads the file only if it belongs to the user of the process that names it; a set-uid program started by anyone counts as root. */
async function cookieFile(path: string, uid: number | undefined): Promise<Buffer | undefined> {
  await using file = await openRegularFile(
    path,
    (about) => (uid === undefined || about.uid === uid) && about.size <= maxBytes,
  );
  return file?.readFile();
}

/** Returns the cookie in an Xauthority file for the display with this number, preferably that of this host. */
export function cookieIn(file: Buffer, number: string, host: string): XauthCookie | undefined {
  const fitting = entriesIn(file).filter(
    (entry) =>
      (entry.family === local || entry.family === wild) &&
      (entry.number === '' || entry.number === number) &&
      entry.name === kind,
  );
  const found = fitting.find(({ family, address }) => family === wild || address === host) ?? fitting[0];
  return found && { name: found.name, data: found.data };
}

interface CookieEntry extends XauthCookie {
  family: number;
  address: string;
  number: string;
}

/** Each entry is a number and four strings with their lengths; a truncated last entry is left out. */
function entriesIn(file: Buffer): CookieEntry[] {
  const entries: CookieEntry[] = [];
  let at = 0;
  const take = (length: number): Buffer => file.subarray(at, (at += length));
  const takeNumber = (): number => (at + 2 <= file.length ? take(2).readUInt16BE() : file.length);
  const takeText = (): string => take(takeNumber()).toString('latin1');
  while (at < file.length) {
    const family = takeNumber();
    const [address, number, name, data] = [takeText(), takeText(), takeText(), takeText()];
    if (at <= file.length) entries.push({ family, address, number, name, data });
  }
  return entries;
}
