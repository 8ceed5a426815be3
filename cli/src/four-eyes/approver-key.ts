/** The key with which this person approves sessions: created here, kept in a file that only they can read, and sent nowhere. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatApproverKey } from '@drawbridge/contract/session/approval';
import type { CliContext } from '../context.ts';
import { exitCodes, type CliFailure, isCliFailure } from '../failure.ts';
import { profilesFile } from '../profiles.ts';

const keyFile = (context: CliContext): string => join(dirname(profilesFile(context)), 'approver.pem');

/** Creates the key if there is none yet. */
export function showApproverKey(context: CliContext): { key: string; file: string } | CliFailure {
  const file = keyFile(context);
  const known = readApproverKey(context);
  if (isCliFailure(known)) return known;
  const key = known ?? createKey(file);
  return { key: formatApproverKey(createPublicKey(key).export({ format: 'jwk' }).x!), file };
}

function createKey(file: string): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // A key that another process has just created is not replaced.
  writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' });
  return privateKey;
}

/** Undefined if there is none. A key that other users can read is refused: they could have copied it. */
export function readApproverKey(context: CliContext): KeyObject | undefined | CliFailure {
  const file = keyFile(context);
  try {
    // Windows has no permission bits; the person's home folder protects the file there.
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
      return refuse(`Other users can access the key in ${file}. Run chmod 600 on it.`);
    const key = createPrivateKey(readFileSync(file));
    return key.asymmetricKeyType === 'ed25519' ? key : refuse(`${file} contains no Ed25519 key.`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? undefined : refuse(`The key in ${file} cannot be read (${code}).`);
  }
}

const refuse = (says: string): CliFailure => ({ exit: exitCodes.refused, says });
