/** By what a person shows that it is them, beside a password. */

/** An authenticator app; its codes count once it was confirmed with a first one. */
export interface Totp {
  /** Base32, as the app has it. */
  secret: string;
  confirmed: boolean;
}

/** A passkey as the server knows it: the public half, and how often the other half said it was used. */
export interface Passkey {
  id: number;
  accountId: number;
  memberId: number;
  /** By this the browser and the server name it: base64url. */
  credential: string;
  /** COSE, base64url. */
  publicKey: string;
  counter: number;
  /** How the browser can reach it, as it said itself. */
  transports: readonly string[];
  name: string;
  createTime: number;
  lastUsedTime: number | null;
}

/** How many passkeys one person may have. */
export const maxPasskeys = 20;
