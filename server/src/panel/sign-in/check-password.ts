/** Checks the password of a person: against its hash, or with the directory that they came from. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import type { SignInCandidate, SignInDirectory } from '../../domain/people/panel.ts';
import type { PanelContext } from '../handler.ts';

type PasswordCheck = 'right' | 'wrong' | Fault<'busy'> | Fault<'forbidden'>;

const unavailable = fault('forbidden', {
  code: 'directory_unavailable',
  message: 'The directory that checks your password does not respond. Try again later.',
});

const unreadable = fault('forbidden', {
  code: 'directory_unavailable',
  message:
    'The directory that checks your password cannot be used: its own password must be entered again. Ask the people who look after your account.',
});

const tooMany = fault('busy', {
  code: 'server_busy',
  message: 'Too many passwords are being checked at this moment. Try again in a few seconds.',
  retryAfter: 5,
});

/** Takes at least as long as the check of a hash, so that a fast response does not reveal where the person came from. */
async function askDirectory(
  accountId: number,
  directory: SignInDirectory,
  { password, queueKey }: GivenPassword,
  context: PanelContext,
): Promise<PasswordCheck> {
  const connection = await context.store.directories.connection(accountId, directory.directoryId);
  const [fake, match] = await Promise.all([
    context.fakeVerify(queueKey),
    connection ? context.verifyDirectoryPassword(connection, { ...directory, password }) : ('wrong' as const),
  ]);
  if (isFault(fake)) return fake;
  if (match === 'busy') return tooMany;
  if (connection && connection.bindPassword === undefined) return unreadable;
  return match === 'unavailable' ? unavailable : match;
}

export interface GivenPassword {
  password: string;
  /** Whose queue the check waits in, see passwords.ts. */
  queueKey: string;
}

export async function checkPassword(
  { accountId, directory, password: hash }: SignInCandidate,
  given: GivenPassword,
  context: PanelContext,
): Promise<PasswordCheck> {
  if (directory) return askDirectory(accountId, directory, given, context);
  return hash === null ? 'wrong' : context.verifyPassword(given.password, hash, given.queueKey);
}
