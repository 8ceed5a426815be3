/** Files and shells of a session, opened by the process of the signed-in person. */
import type { Files } from '../../files.ts';
import type { AcquirePerson } from '../../helper/person-connection.ts';
import { createPersonFiles } from '../../helper/remote-files.ts';
import { openRemoteShell } from '../../helper/remote-shell.ts';
import { NotPossible } from '../../platform.ts';
import type { Shell, ShellSize } from '../../shell.ts';
import { loadWindowsApi } from '../api/windows-api.ts';
import { homeIn } from '../files/session-files.ts';
import { createPersonAcquirer } from './connect-person.ts';
import { homeOf, withPerson } from './signed-in-person.ts';

let acquirer: Promise<AcquirePerson> | undefined;

const personAcquirer = (): Promise<AcquirePerson> =>
  (acquirer ??= loadWindowsApi().then(createPersonAcquirer));

/** Does not start the process. While nobody is signed in, each call is refused. */
export async function openPersonFiles(): Promise<Files> {
  const api = await loadWindowsApi();
  const home = await withPerson(api, ({ token }) => homeIn(process.env, homeOf(api, token))).catch(
    (error: unknown) => {
      if (error instanceof NotPossible) return '/';
      throw error;
    },
  );
  return createPersonFiles(home, await personAcquirer());
}

export const openPersonShell = async (size: ShellSize): Promise<Shell> =>
  openRemoteShell(await personAcquirer(), size);
