/** The person who is signed in at the monitor, mouse and keyboard of the machine, and the token with their rights. */
import { NotPossible } from '../../platform.ts';
import type { Handle, WindowsApi } from '../api/windows-api.ts';
import { readWideText } from '../api/wide-text.ts';

export interface SignedInPerson {
  /** Another one after each sign-in. */
  key: string;
  /** To be closed by the caller. An administrator has the token of their usual programs, which are not elevated. */
  token: Handle;
}

const noSession = 0xffff_ffff;
/** The errors for a session without a person, and for one that has just ended. */
const nobodyErrors = { fileNotFound: 0x2, noToken: 0x3f0, sessionNotFound: 0x1b6e } as const;
const isNobody = (error: number): boolean => Object.values<number>(nobodyErrors).includes(error);

/** Undefined if nobody is, for example at the login screen. */
function findPerson(api: WindowsApi): SignedInPerson | undefined {
  const session = api.WTSGetActiveConsoleSessionId();
  if (session === noSession) return undefined;
  const opened = Buffer.alloc(8);
  if (!api.WTSQueryUserToken(session, opened)) {
    const error = api.GetLastError();
    if (isNobody(error)) return undefined;
    throw new NotPossible(
      `Windows did not give the agent the rights of the person at the device (error ${error}).`,
    );
  }
  const token = opened.readBigUInt64LE();
  return { key: `${session}-${signInOf(api, token)}`, token };
}

const statistics = { level: 10, bytes: 56, signIn: 8 } as const;

/** The number that Windows gave the sign-in. */
function signInOf(api: WindowsApi, token: Handle): bigint {
  const [bytes, length] = [Buffer.alloc(statistics.bytes), Buffer.alloc(4)];
  if (!api.GetTokenInformation(token, statistics.level, bytes, bytes.length, length))
    throw new NotPossible('Windows does not say who is signed in at the device.');
  return bytes.readBigUInt64LE(statistics.signIn);
}

const nobodySignedIn =
  'Nobody is signed in at the device. Files and terminal need someone who is, because they have the rights of that person.';

/** Calls `use` with the person, and closes their token afterwards. */
export async function withPerson<Result>(
  api: WindowsApi,
  use: (person: SignedInPerson) => Promise<Result> | Result,
): Promise<Result> {
  const person = findPerson(api);
  if (!person) throw new NotPossible(nobodySignedIn);
  try {
    return await use(person);
  } finally {
    api.CloseHandle(person.token);
  }
}

/** Undefined if nobody is signed in. */
export function readPersonKey(api: WindowsApi): string | undefined {
  const person = findPerson(api);
  if (person) api.CloseHandle(person.token);
  return person?.key;
}

const maxPathLength = 32_768;

/** The home folder of the person; empty if Windows does not say it. */
export function homeOf(api: WindowsApi, token: Handle): string {
  const [path, length] = [Buffer.alloc(2 * maxPathLength), Buffer.alloc(4)];
  length.writeUInt32LE(maxPathLength);
  return api.GetUserProfileDirectoryW(token, path, length) ? readWideText(path) : '';
}
