/** What a person proves their identity with, besides a password. */

/** An authenticator app; its codes count once it was confirmed with a first one. */
export interface Totp {
  /** Base32, as stored in the app. */
  secret: string;
  confirmed: boolean;
}

/** A passkey as stored by the server: the public key, and the last counter that the authenticator reported. */
export interface Passkey {
  id: number;
  accountId: number;
  memberId: number;
  /** The credential id by which browser and server identify it: base64url. */
  credential: string;
  /** COSE, base64url. */
  publicKey: string;
  counter: number;
  /** How the browser can reach it, as reported by the browser. */
  transports: readonly string[];
  name: string;
  createTime: number;
  lastUsedTime: number | null;
}

/** The most passkeys of one person. */
export const maxPasskeys = 20;
