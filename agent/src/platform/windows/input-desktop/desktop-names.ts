/** The names of desktops: the one that has mouse and keyboard at the moment, and the one of the agent's windows. */
import { readWideText } from '../api/wide-text.ts';
import type { Handle, WindowsApi } from '../api/windows-api.ts';

const readObjects = 1;
const nameOfObject = 2;
const maxNameBytes = 512;

/** Windows has one for the login screen and its questions, such as Winlogon. Undefined if this process may not know it. */
export function inputDesktopName(api: WindowsApi): string | undefined {
  const desktop = api.OpenInputDesktop(0, 0, readObjects);
  if (Number(desktop) === 0) return undefined;
  const name = nameOf(api, desktop);
  api.CloseDesktop(desktop);
  return name;
}

export const ownDesktopName = (api: WindowsApi): string | undefined =>
  nameOf(api, api.GetThreadDesktop(api.GetCurrentThreadId()));

function nameOf(api: WindowsApi, desktop: Handle): string | undefined {
  const [name, used] = [Buffer.alloc(maxNameBytes), Buffer.alloc(4)];
  if (!api.GetUserObjectInformationW(desktop, nameOfObject, name, name.length, used)) return undefined;
  return readWideText(name).toLowerCase() || undefined;
}
