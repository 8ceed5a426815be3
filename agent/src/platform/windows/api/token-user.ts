/** The user of a token or of this process, as a security identifier such as S-1-5-18. */
import type { Handle, WindowsApi } from './windows-api.ts';

const currentProcess = -1;
const tokenQuery = 0x8;
const tokenUser = 1;

/** The account that services run as unless they name another one. */
export const systemUser = 'S-1-5-18';

/** Empty if Windows does not say it. */
export function ownUser(api: WindowsApi): string {
  const token = Buffer.alloc(8);
  if (!api.OpenProcessToken(currentProcess, tokenQuery, token)) return '';
  const handle = token.readBigUInt64LE();
  const user = userOfToken(api, handle);
  api.CloseHandle(handle);
  return user;
}

function userOfToken(api: WindowsApi, token: Handle): string {
  const [user, length] = [Buffer.alloc(256), Buffer.alloc(4)];
  const isRead = api.GetTokenInformation(token, tokenUser, user, user.length, length);
  return isRead ? identifierText(api, user.readBigUInt64LE()) : '';
}

/** The text form of a security identifier. */
export function identifierText(api: WindowsApi, identifier: Handle): string {
  const pointer = Buffer.alloc(8);
  if (!api.ConvertSidToStringSidW(identifier, pointer)) return '';
  const text = api.koffi.decode(pointer, 'str16') as string;
  api.LocalFree(pointer.readBigUInt64LE());
  return text;
}
