/** What the command line says about the certificate of the server: `--ca` or `--fingerprint`. */
import { readFileSync } from 'node:fs';
import type { AgentArguments } from '../arguments.ts';
import { NotPossible } from '../platform/platform.ts';
import { readPin } from './pin.ts';

export interface GivenTrust {
  /** The pin of the certificate. */
  certificate?: string;
  /** The authorities to trust in addition, as certificates in PEM. */
  authorities?: string;
}

type TrustArguments = Pick<AgentArguments, 'ca' | 'fingerprint'>;

/** As in every other command: DRAWBRIDGE_CA stands for --ca, and --fingerprint overrides it. */
export function withCaVariable<Given extends TrustArguments>(given: Given, env: NodeJS.ProcessEnv): Given {
  if (given.ca !== undefined && given.fingerprint !== undefined)
    throw new Error('Give either --ca or --fingerprint, not both.');
  return given.fingerprint === undefined ? { ...given, ca: given.ca ?? env['DRAWBRIDGE_CA'] } : given;
}

/** Throws a sentence for the user if the file or the fingerprint cannot be used. */
export function readGivenTrust({ ca, fingerprint }: TrustArguments): GivenTrust {
  const certificate = fingerprint === undefined ? undefined : readPin(fingerprint);
  if (fingerprint !== undefined && certificate === undefined)
    throw new NotPossible(
      '--fingerprint must be the SHA-256 of the certificate of the server, or of its public key (sha256//…).',
    );
  return { ...(certificate && { certificate }), ...(ca && { authorities: readAuthorities(ca) }) };
}

function readAuthorities(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new NotPossible(
      `The certificate file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
  if (splitCertificates(text).length === 0)
    throw new NotPossible(`The certificate file ${file} contains no certificate in PEM.`);
  return text;
}

export const splitCertificates = (text: string): string[] =>
  text.match(/-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/g) ?? [];
