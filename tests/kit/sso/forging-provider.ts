/** An identity provider that signs whatever a test tells it to: wrong issuers, audiences, nonces and e-mail addresses. */
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { toProviderReturn, type ProviderReturn } from './returned.ts';

export interface ForgingProvider extends AsyncDisposable {
  issuer: string;
  ca: string;
  /** Replaces claims of the next tokens; `undefined` leaves a claim out. */
  claims: Record<string, unknown>;
  /** Replaces fields of the discovery document. */
  document: Record<string, unknown>;
  /** Signs with a key that the provider does not publish. */
  usesForeignKey: boolean;
  /** Replaces fields of the header of the next tokens. */
  header: object;
  /** Signs the next tokens instead of the key, with anything. */
  forgedSignature: ((text: string) => string) | undefined;
  /** Publishes another key under another name, and signs with it from now on. */
  rotateKey(): void;
  /** Answers every request with this many bytes instead. */
  floods: number;
  /** With what the browser would return, for the address to which it was sent. */
  answer(url: string, changed?: Record<string, string | undefined>): ProviderReturn;
  /** A token with these claims, signed by the provider; the header can be changed. */
  token(claims: object, header?: object): string;
  /** The claims of a valid logout token for this client, with changes; undefined leaves a claim out. */
  logoutClaims(clientId: string, changed: Record<string, unknown>): Record<string, unknown>;
  /** The PKCE check of the last code: whether the verifier matched. */
  verified: boolean;
  /** The paths of all requests. */
  requests: string[];
}

const toBase64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const keys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return new URLSearchParams(Buffer.concat(parts).toString());
}

const send = (response: ServerResponse, value: object): void =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(value));

interface Asked {
  nonce: string;
  challenge: string;
  clientId: string;
}

/** What the provider knows besides what tests set. */
interface Forge {
  self: ForgingProvider;
  asked: Map<string, Asked>;
  own: ReturnType<typeof keys>;
  /** The name of its own key. */
  kid: string;
  foreign: ReturnType<typeof keys>;
}

function signToken({ self, own, kid, foreign }: Forge, claims: object, header = {}): string {
  const text = `${toBase64({ alg: 'RS256', kid, ...self.header, ...header })}.${toBase64(claims)}`;
  if (self.forgedSignature) return `${text}.${self.forgedSignature(text)}`;
  const { privateKey } = self.usesForeignKey ? foreign : own;
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
}

function idToken(forge: Forge, code: string): string {
  const { self, asked } = forge;
  const { nonce, clientId: aud } = asked.get(code)!;
  const now = Math.floor(Date.now() / 1_000);
  const claims = { iss: self.issuer, aud, nonce, sub: 'forged', iat: now, exp: now + 60, ...self.claims };
  return signToken(forge, claims);
}

const documentOf = ({ issuer, document }: ForgingProvider): object => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  ...document,
});

async function giveTokens(forge: Forge, request: IncomingMessage): Promise<object> {
  const body = await bodyOf(request);
  const code = body.get('code')!;
  const verifier = body.get('code_verifier') ?? '';
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  forge.self.verified = forge.asked.get(code)?.challenge === challenge;
  return { access_token: 'a', token_type: 'Bearer', id_token: idToken(forge, code) };
}

async function respond(forge: Forge, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { self, own, kid } = forge;
  self.requests.push(request.url ?? '');
  if (self.floods > 0) return void response.end(Buffer.alloc(self.floods, ' '));
  const published = { ...own.publicKey.export({ format: 'jwk' }), kid, alg: 'RS256' };
  if (request.url === '/keys') return send(response, { keys: [published] });
  return send(response, request.url === '/token' ? await giveTokens(forge, request) : documentOf(self));
}

/** What every logout token needs besides issuer and audience. */
function someLogout() {
  const now = Math.floor(Date.now() / 1_000);
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  return { iat: now, exp: now + 120, jti: randomUUID(), events };
}

/** What tests have not changed yet. */
const honest = () => ({
  claims: {},
  document: {},
  usesForeignKey: false,
  header: {},
  forgedSignature: undefined,
  floods: 0,
});

export async function startForgingProvider(): Promise<ForgingProvider> {
  const { cert, key } = await createSelfSigned(['localhost', '127.0.0.1'], new Date());
  const asked = new Map<string, Asked>();
  const server = createServer({ cert, key });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const issuer = `https://localhost:${(server.address() as AddressInfo).port}`;
  const self: ForgingProvider = {
    issuer,
    ca: cert,
    ...honest(),
    rotateKey: () => void Object.assign(forge, { own: keys(), kid: randomUUID() }),
    logoutClaims: (aud, changed) => ({ iss: issuer, aud, ...someLogout(), ...changed }),
    token: (claims, header) => signToken(forge, claims, header),
    verified: false,
    requests: [],
    answer(url, changed = {}) {
      const { searchParams: sent } = new URL(url);
      const [code, read] = [`code-${asked.size}`, (name: string) => sent.get(name)!];
      asked.set(code, {
        nonce: read('nonce'),
        challenge: read('code_challenge'),
        clientId: read('client_id'),
      });
      const fields = { code, state: read('state'), iss: issuer, ...changed };
      const given = Object.entries(fields).filter((each): each is [string, string] => each[1] !== undefined);
      return toProviderReturn(read('redirect_uri'), new URLSearchParams(given).toString());
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  const forge: Forge = { self, asked, own: keys(), kid: 'own', foreign: keys() };
  server.on('request', (request, response) => void respond(forge, request, response));
  return self;
}
