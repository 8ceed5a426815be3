/** Passkeys: challenges for browsers, and the verification of their responses. User verification is required. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { digestOf } from '../../edges/random.ts';
import type { Passkey } from '../../domain/people/factors.ts';
import type { MemberRef } from '../../domain/people/panel.ts';

/** Input or output of a browser's WebAuthn, as JSON. */
export type WebAuthnJson = Record<string, unknown>;

export interface PasskeyChallenge {
  options: WebAuthnJson;
  challenge: string;
}

/** Ed25519, ES256 and RS256: every browser and security key supports at least one of them. */
const algorithms = [-8, -7, -257];
const timeout = 300_000;

/** Loaded with the first passkey, because it is as large as everything else together. */
const loadWebAuthn = () => import('@simplewebauthn/server');

const toText = (bytes: Uint8Array): string => bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
const toBytes = (text: string) => Uint8Array.fromBase64(text, { alphabet: 'base64url' });

const hostOf = (publicUrl: string): string => new URL(publicUrl).hostname;

/** Identifies the person to the passkey without revealing anything, and is the same for all passkeys of a person. */
const userHandleOf = ({ accountId, memberId }: MemberRef): Uint8Array<ArrayBuffer> =>
  Uint8Array.fromHex(digestOf(`passkeys of ${accountId}:${memberId}`));

const toCredentials = (known: readonly Passkey[]) =>
  known.map(({ credential, transports }) => ({ id: credential, transports: [...transports] }));

const toChallenge = (options: { challenge: string }): PasskeyChallenge => ({
  options: { ...options },
  challenge: options.challenge,
});

/** Options for creating a passkey; the browser creates none on an authenticator that already has one for this person. */
export async function createRegistrationOptions(
  { publicUrl, brand }: { publicUrl: string; brand: string },
  person: MemberRef & { email: string },
  known: readonly Passkey[],
): Promise<PasskeyChallenge> {
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: brand,
    rpID: hostOf(publicUrl),
    userName: person.email,
    userDisplayName: person.email,
    userID: userHandleOf(person),
    timeout,
    attestationType: 'none',
    excludeCredentials: toCredentials(known),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  });
  return toChallenge(options);
}

/** Options for signing a challenge, with one of these passkeys or with any that the browser has for this server. */
export async function createAuthenticationOptions(
  publicUrl: string,
  known: readonly Passkey[] = [],
): Promise<PasskeyChallenge> {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID: hostOf(publicUrl),
    allowCredentials: toCredentials(known),
    timeout,
    userVerification: 'required',
  });
  return toChallenge(options);
}

export type RegisteredPasskey = Pick<Passkey, 'credential' | 'publicKey' | 'counter' | 'transports'>;

/**
 * The passkey that was created for a challenge; undefined if anything is invalid. Attestation is not requested and is
 * rejected, because verifying it can mean fetching addresses that it contains.
 */
export async function verifyRegistration(
  publicUrl: string,
  challenge: string,
  response: WebAuthnJson,
): Promise<RegisteredPasskey | undefined> {
  try {
    if (isFromFrame(response) || (await hasAttestation(response))) return undefined;
    const { verifyRegistrationResponse } = await loadWebAuthn();
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: publicUrl,
      expectedRPID: hostOf(publicUrl),
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    const transports = transportsOf(response['response'] as WebAuthnJson);
    return { credential: id, publicKey: toText(publicKey), counter, transports };
  } catch {
    return undefined; // the library throws on rejection
  }
}

/** Whether the page was embedded in a page of another site. Ours never are, and the library does not check. */
function isFromFrame(response: WebAuthnJson): boolean {
  const { clientDataJSON } = response['response'] as { clientDataJSON: string };
  const clientData = JSON.parse(new TextDecoder().decode(toBytes(clientDataJSON))) as WebAuthnJson;
  return (clientData['crossOrigin'] ?? false) !== false || clientData['topOrigin'] !== undefined;
}

async function hasAttestation(response: WebAuthnJson): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const { attestationObject } = response['response'] as { attestationObject: string };
  const attestation = decodeAttestationObject(toBytes(attestationObject));
  const format: string = attestation.get('fmt');
  return !['none', 'packed'].includes(format) || attestation.get('attStmt').get('x5c') !== undefined;
}

/** Transport hints that are only sent back to the browser: known ones, and only a few. */
function transportsOf({ transports }: WebAuthnJson): string[] {
  const names = Array.isArray(transports) ? transports : [];
  return names
    .filter((each): each is string => typeof each === 'string' && /^[a-z-]{2,16}$/.test(each))
    .slice(0, 8);
}

/** The credential id of the response; undefined if it has none. */
export const credentialIdOf = ({ id }: WebAuthnJson): string | undefined =>
  typeof id === 'string' && /^[A-Za-z0-9_-]{1,1400}$/.test(id) ? id : undefined;

/** The new counter of the passkey; undefined if anything about the response is invalid. */
export async function verifyAuthentication(
  publicUrl: string,
  challenge: string,
  passkey: Passkey,
  response: WebAuthnJson,
): Promise<number | undefined> {
  const { userHandle } = (response['response'] ?? {}) as { userHandle?: unknown };
  const handle = toText(userHandleOf(passkey));
  if (userHandle !== undefined && userHandle !== null && userHandle !== handle) return undefined;
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  try {
    if (isFromFrame(response)) return undefined;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: publicUrl,
      expectedRPID: hostOf(publicUrl),
      credential: {
        id: passkey.credential,
        publicKey: toBytes(passkey.publicKey),
        counter: passkey.counter,
        transports: [],
      },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined; // the library throws on rejection
  }
}
