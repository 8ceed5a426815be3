/** The connection to an authority: its addresses, nonces and the account of our key. */
import type { KeyObject } from 'node:crypto';
import { acmeRequest, type AcmeReply } from './acme-request.ts';
import { externalBinding, signedBody, type AcmeSigner, type ExternalAccount } from './jws.ts';

/** Which authority is asked, and as whom. */
export interface AcmeAuthority {
  /** The address of its directory. */
  directory: string;
  /** Certificates in PEM that are trusted instead of those that Node knows. */
  ca: string | undefined;
  email: string | undefined;
  external: ExternalAccount | undefined;
}

export interface AcmeAccount {
  key: KeyObject;
  newOrderUrl: string;
  /** Without a payload it asks for the resource. Rejects where the authority refuses. */
  post(url: string, payload?: object): Promise<AcmeReply>;
}

interface Directory {
  newNonce: string;
  newAccount: string;
  newOrder: string;
}

/** How often a request is repeated whose nonce the authority no longer accepts. */
const nonceTries = 10;

/** Signs in with the key, which creates the account at the first time. The terms of the authority must have been agreed to. */
export async function openAcmeAccount(
  { directory: address, ca, email, external }: AcmeAuthority,
  key: KeyObject,
  signal: AbortSignal,
): Promise<AcmeAccount> {
  const found = await acmeRequest(address, { method: 'GET', ca, signal });
  if (found.status !== 200) throw refusalOf(found);
  const directory = parseJson(found) as Directory;
  const nonces: string[] = [];
  const keepNonce = ({ headers }: AcmeReply): void => {
    const nonce = headers['replay-nonce'];
    if (typeof nonce === 'string') nonces.push(nonce);
  };
  const signer: AcmeSigner = { key, account: undefined };

  const post = async (url: string, payload?: object, tries = nonceTries): Promise<AcmeReply> => {
    if (nonces.length === 0) keepNonce(await acmeRequest(directory.newNonce, { method: 'HEAD', ca, signal }));
    const nonce = nonces.pop();
    if (nonce === undefined) throw new Error('The authority gave no nonce.');
    const body = signedBody(signer, { url, nonce, payload });
    const reply = await acmeRequest(url, { method: 'POST', body, ca, signal });
    keepNonce(reply);
    if (reply.status < 400) return reply;
    if (tries > 1 && reply.text.includes('urn:ietf:params:acme:error:badNonce'))
      return post(url, payload, tries - 1);
    throw refusalOf(reply);
  };

  const { headers } = await post(directory.newAccount, {
    termsOfServiceAgreed: true,
    ...(email !== undefined && { contact: [`mailto:${email}`] }),
    ...(external && { externalAccountBinding: externalBinding(key, external, directory.newAccount) }),
  });
  if (typeof headers.location !== 'string') throw new Error('The authority did not name the account.');
  signer.account = headers.location;
  return { key, newOrderUrl: directory.newOrder, post: (url, payload) => post(url, payload) };
}

export function parseJson({ text }: AcmeReply): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error('The authority answered with something other than JSON.');
  }
}

/** When the authority wants to be asked again, in milliseconds from now. */
export function retryAfterMs({ headers }: AcmeReply, now = Date.now()): number | undefined {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** The refusal as an error of one sentence; its cause says when to try again. */
function refusalOf(reply: AcmeReply): Error {
  let problem: { type?: string; detail?: string } = {};
  try {
    problem = JSON.parse(reply.text) as typeof problem;
  } catch {
    // Not every proxy in front of an authority answers with JSON.
  }
  const code = problem.type?.replace('urn:ietf:params:acme:error:', '') ?? `HTTP ${reply.status}`;
  return new Error(`The authority refused: ${problem.detail ?? 'no reason given'} (${code}).`, {
    cause: { retryAfterMs: retryAfterMs(reply) },
  });
}
