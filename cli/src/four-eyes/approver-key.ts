/** The key with which this person approves sessions: created here, kept in a file that only they can read, and sent nowhere. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatApproverKey } from '@drawbridge/contract/session/approval';
import type { FlagValue } from '../command-line.ts';
import type { CliContext } from '../context.ts';
import { exitCodes, type CliFailure, isCliFailure } from '../failure.ts';
import { profilesFile } from '../profiles.ts';
import { encryptKey } from './encrypt-key.ts';

/** The flags of the command. */
export const approverKeyFlags = new Map([['passphrase', 'boolean']] as const);

const minPassphraseLength = 12;

const keyFile = (context: CliContext): string => join(dirname(profilesFile(context)), 'approver.pem');

/** Creates the key if there is none yet. With `--passphrase` it is encrypted with a new passphrase. */
export async function showApproverKey(
  flags: readonly FlagValue[],
  context: CliContext,
): Promise<{ key: string; file: string } | CliFailure> {
  const file = keyFile(context);
  const known = await readApproverKey(context);
  if (isCliFailure(known)) return known;
  const wantsPassphrase = flags.findLast(({ name }) => name === 'passphrase')?.text === 'true';
  const passphrase = wantsPassphrase ? await askNewPassphrase(context) : undefined;
  if (isCliFailure(passphrase)) return passphrase;
  const key = known ?? generateKeyPairSync('ed25519').privateKey;
  const isNew = known === undefined;
  if (isNew || passphrase !== undefined) writeKey(file, toPem(key, passphrase), isNew);
  return { key: formatApproverKey(createPublicKey(key).export({ format: 'jwk' }).x!), file };
}

async function askNewPassphrase(context: CliContext): Promise<string | CliFailure> {
  const passphrase = await context.askSecret('New passphrase of your key: ');
  if (passphrase.length < minPassphraseLength)
    return refuse(
      `The passphrase must have at least ${minPassphraseLength} characters. Nothing was changed.`,
    );
  const again = await context.askSecret('The same passphrase again: ');
  return again === passphrase ? passphrase : refuse('The two passphrases differ. Nothing was changed.');
}

const toPem = (key: KeyObject, passphrase: string | undefined): string =>
  passphrase === undefined
    ? key.export({ format: 'pem', type: 'pkcs8' }).toString()
    : encryptKey(key, passphrase);

function writeKey(file: string, pem: string, isNew: boolean): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // A key that another process has just created is not replaced.
  if (isNew) return writeFileSync(file, pem, { mode: 0o600, flag: 'wx' });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, pem, { mode: 0o600, flag: 'wx' });
  renameSync(temporary, file);
}

/** Undefined if there is none. A key that other users can read is refused: they could have copied it. */
export async function readApproverKey(context: CliContext): Promise<KeyObject | undefined | CliFailure> {
  const file = keyFile(context);
  const pem = readPem(file);
  if (pem === undefined || isCliFailure(pem)) return pem;
  const isEncrypted = pem.includes('BEGIN ENCRYPTED PRIVATE KEY');
  const passphrase = isEncrypted ? await context.askSecret('Passphrase of your key: ') : undefined;
  try {
    const key = createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }) });
    return key.asymmetricKeyType === 'ed25519' ? key : refuse(`${file} contains no Ed25519 key.`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return isEncrypted
      ? refuse(`This is not the passphrase of the key in ${file}.`)
      : refuse(`The key in ${file} cannot be read (${code}).`);
  }
}

function readPem(file: string): string | undefined | CliFailure {
  try {
    // Windows has no permission bits; the person's home folder protects the file there.
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
      return refuse(`Other users can access the key in ${file}. Run chmod 600 on it.`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? undefined : refuse(`The key in ${file} cannot be read (${code}).`);
  }
}

const refuse = (says: string): CliFailure => ({ exit: exitCodes.refused, says });
