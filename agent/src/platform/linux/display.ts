/** Which X11 display somebody works on, and the cookie that opens it. */
import { readFile } from 'node:fs/promises';
import { namesIn } from './files.ts';

export interface DisplayPlace {
  /** Such as `:0`. */
  display: string;
  /** The file with the display's cookie; undefined where none is needed. */
  authority?: string | undefined;
}

/** The agent's own display, or the first one that is open, with the cookie of somebody who works on it. */
export async function findDisplay(env: NodeJS.ProcessEnv = process.env): Promise<DisplayPlace | undefined> {
  if (env['DISPLAY']) return { display: env['DISPLAY'], authority: env['XAUTHORITY'] };
  const [first] = (await namesIn('/tmp/.X11-unix')).filter((name) => /^X\d+$/.test(name)).toSorted();
  if (first === undefined) return undefined;
  const display = `:${first.slice(1)}`;
  return { display, authority: await authorityOf(display) };
}

/** A session's programs carry the name of the cookie file in their environment; root may read it there. */
async function authorityOf(display: string): Promise<string | undefined> {
  for (const pid of (await namesIn('/proc')).filter((name) => /^\d+$/.test(name))) {
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
    const variables = new Map(
      environment
        .split('\0')
        .map((each): [string, string] => [each.split('=', 1)[0]!, each.slice(each.indexOf('=') + 1)]),
    );
    if (variables.get('DISPLAY')?.replace(/\.\d+$/, '') === display && variables.has('XAUTHORITY'))
      return variables.get('XAUTHORITY');
  }
  return undefined;
}
