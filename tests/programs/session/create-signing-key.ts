/** Creates the Ed25519 key of a device or server with WebCrypto. */
import { createSigningKeyPair, signingKeyOf } from '@drawbridge/session/browser/crypto';
import type { SigningKey } from '@drawbridge/session/ports';

export const createSigningKey = async (): Promise<SigningKey> => signingKeyOf(await createSigningKeyPair());
