/** Folders that only the system and administrators can open. */
import { mkdirSync, existsSync } from 'node:fs';
import { NotPossible } from '../../platform/platform.ts';
import { identifierText, ownUser, systemUser } from '../../platform/windows/api/token-user.ts';
import type { WindowsApi } from '../../platform/windows/api/windows-api.ts';

/** Full access for SYSTEM and Administrators, inherited by everything inside; nothing is taken over from the parent folder. */
const systemAndAdministrators = 'D:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)';
const revision = 1;
const security = { owner: 0x1, accessList: 0x4, isProtected: 0x8000_0000 } as const;
const fileObject = 1;
const administrators = 'S-1-5-32-544';
const trustedOwners = [systemUser, administrators];

/**
 * Any user can create folders in ProgramData, and the owner of a folder can always change who may open it. So a folder that
 * somebody else has created is refused, because what it holds could decide which server controls the device.
 */
export function protectFolder(api: WindowsApi, folder: string): void {
  if (existsSync(folder) && ![...trustedOwners, ownUser(api)].includes(ownerOf(api, folder)))
    throw new NotPossible(
      `${folder} belongs to a user who is not an administrator. Remove it, then install again.`,
    );
  mkdirSync(folder, { recursive: true });
  const pointer = Buffer.alloc(8);
  const isMade = api.ConvertStringSecurityDescriptorToSecurityDescriptorW(
    systemAndAdministrators,
    revision,
    pointer,
    null,
  );
  const descriptor = pointer.readBigUInt64LE();
  const what = (security.accessList | security.isProtected) >>> 0;
  const isSet = isMade && api.SetFileSecurityW(folder, what, descriptor);
  if (isMade) api.LocalFree(descriptor);
  if (!isSet) throw new NotPossible(`The access to ${folder} could not be restricted.`);
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
