/** Folders on Windows that only the system, administrators and the agent's own user can open. */
import { lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { NotPossible } from '../platform.ts';
import { identifierText, ownUser, systemUser } from './api/token-user.ts';
import type { WindowsApi } from './api/windows-api.ts';
import { isElevated } from './elevation.ts';

/** Full access for SYSTEM and Administrators, inherited by everything inside; nothing is taken over from the parent folder. */
const systemAndAdministrators = 'D:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)';
const revision = 1;
const security = { owner: 0x1, accessList: 0x4, isProtected: 0x8000_0000 } as const;
const fileObject = 1;
const administrators = 'S-1-5-32-544';

interface Protection {
  api: WindowsApi;
  /** Who may own what is in the folder. */
  owners: readonly string[];
  /** Who may open it. */
  access: string;
}

/**
 * Creates the folder, or restricts the access to an existing one and to all that is in it. Any user can create folders and files in
 * ProgramData, and the owner of a file can always change who may open it. So what belongs to somebody else is refused,
 * because it could decide which server controls the device, or which key signs its updates.
 */
export function protectFolder(api: WindowsApi, folder: string): void {
  const own = ownUser(api);
  const ownAccess = isElevated(api) ? '' : `(A;OICI;FA;;;${own})`;
  mkdirSync(folder, { recursive: true });
  const owners = [systemUser, administrators, own];
  protect({ api, owners, access: systemAndAdministrators + ownAccess }, folder);
}

/** A folder is closed before its content is checked, so that nobody can add to it meanwhile. */
function protect(protection: Protection, path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return; // an agent that runs has replaced it
  if (stats.isSymbolicLink()) throw new NotPossible(`${path} is a link. Remove it, then try again.`);
  if (!protection.owners.includes(ownerOf(protection.api, path)))
    throw new NotPossible(
      `${path} belongs to another user, who could control this device with it. Remove it, then try again.`,
    );
  restrict(protection, path);
  if (stats.isDirectory()) for (const name of readdirSync(path)) protect(protection, join(path, name));
}

function restrict({ api, access }: Protection, path: string): void {
  const pointer = Buffer.alloc(8);
  const isMade = api.ConvertStringSecurityDescriptorToSecurityDescriptorW(access, revision, pointer, null);
  const descriptor = pointer.readBigUInt64LE();
  const what = (security.accessList | security.isProtected) >>> 0;
  const isSet = isMade && api.SetFileSecurityW(path, what, descriptor);
  if (isMade) api.LocalFree(descriptor);
  if (!isSet)
    throw new NotPossible(
      `The access to ${path} could not be restricted. Run this as an administrator, or name another folder in DRAWBRIDGE_AGENT_DATA.`,
    );
}

function ownerOf(api: WindowsApi, path: string): string {
  const [owner, descriptor] = [Buffer.alloc(8), Buffer.alloc(8)];
  const result = api.GetNamedSecurityInfoW(
    path,
    fileObject,
    security.owner,
    owner,
    null,
    null,
    null,
    descriptor,
  );
  if (result !== 0) return '';
  const text = identifierText(api, owner.readBigUInt64LE());
  api.LocalFree(descriptor.readBigUInt64LE());
  return text;
}
