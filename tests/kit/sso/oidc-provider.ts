/** A real identity provider (oidc-provider) on a loopback port with its own certificate. Its people can be changed. */
import { createServer, request as sendRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { Provider, type Configuration } from 'oidc-provider';

interface OidcPerson {
  email?: string;
  email_verified?: boolean;
  groups?: readonly string[];
}

export interface OidcProvider extends AsyncDisposable {
  issuer: string;
  /** The certificate that it presents. */
  ca: string;
  clientId: string;
  clientSecret: string;
  /** By subject. Somebody who is not here cannot sign in. */
  people: Map<string, OidcPerson>;
  /** The addresses to which it sends browsers back. */
  redirectUris: Set<string>;
  /** Where the client wants to hear of sign-outs, and whether ID tokens and these name the sign-in. */
  sendLogoutsTo(uri: string, namesSignIn?: boolean): Promise<void>;
  /** Tells the client that this person was signed out everywhere. */
  signOutEverywhere(subject: string): Promise<void>;
}

/** What the types of the package leave out. */
interface LogoutClient {
  backchannelLogout(subject: string, sid: string): Promise<void>;
}

const clientId = 'drawbridge';
const clientSecret = 'a secret of at least thirty-two characters';

/** Sends a form to a service under test, whose certificate is its own. */
function sendForm(url: URL | Request | string, { headers, body }: RequestInit = {}): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const fields = Object.fromEntries(new Headers(headers));
  const options = { method: 'POST', headers: fields, agent: false, rejectUnauthorized: false } as const;
  const sent = sendRequest(new URL(String(url)), options, (answer) => {
    answer.resume();
    answer.on('end', () => resolve(new Response(null, { status: answer.statusCode ?? 0 })));
  });
  sent.on('error', reject);
  sent.end(String(body));
  return promise;
}

function configurationFor(publicUrl: string, people: OidcProvider['people']): Configuration {
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${publicUrl}/registered-later`],
        post_logout_redirect_uris: [`${publicUrl}/sign-in`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['groups'],
    },
    pkce: { required: () => true },
    cookies: { keys: ['a key of the cookies'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    fetch: sendForm,
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => {
      const person = people.get(sub);
      return person && { accountId: sub, claims: async () => ({ sub, ...person }) };
    },
    // Nobody is asked whether the server may know who they are.
    async loadExistingGrant({ oidc }) {
      const accountId = oidc.session?.accountId;
      if (accountId === undefined || !people.has(accountId)) return undefined;
      const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
}

/** A page with a link for each person; `/interaction/UID/as/SUBJECT` signs in, `/interaction/UID/deny` refuses. */
function addSignInPage(provider: Provider, people: OidcProvider['people']): void {
  provider.use(async (context, next) => {
    const [, uid, subject] = /^\/interaction\/([\w-]+)(?:\/as\/(.+)|\/deny)?$/.exec(context.path) ?? [];
    if (uid === undefined) return next();
    if (subject !== undefined && people.has(decodeURIComponent(subject)))
      return provider.interactionFinished(context.req, context.res, {
        login: { accountId: decodeURIComponent(subject) },
      });
    if (context.path.endsWith('/deny') || subject !== undefined)
      return provider.interactionFinished(context.req, context.res, { error: 'access_denied' });
    const links = [...people.keys()].map(
      (each) => `<p><a href="/interaction/${uid}/as/${each}">${each}</a></p>`,
    );
    context.type = 'html';
    context.body = `<!doctype html><title>Company</title><h1>Company</h1>${links.join('')}<p><a href="/interaction/${uid}/deny">deny</a></p>`;
    return undefined;
  });
}

/** `publicUrl`: the address of the server, which is its client. */
export async function startOidcProvider(publicUrl: string): Promise<OidcProvider> {
  const { cert, key } = await createSelfSigned(['localhost', '127.0.0.1'], new Date());
  const people: OidcProvider['people'] = new Map();
  const server = createServer({ cert, key });
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await listening;
  const issuer = `https://localhost:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, configurationFor(publicUrl, people));
  const redirectUris = new Set<string>();
  provider.Client.prototype.redirectUriAllowed = (uri) => redirectUris.has(uri);
  addSignInPage(provider, people);
  const handle = provider.callback();
  server.on('request', (request, response) => void handle(request, response));
  return {
    issuer,
    ca: cert,
    clientId,
    clientSecret,
    people,
    redirectUris,
    async sendLogoutsTo(uri, namesSignIn = true) {
      const client = (await provider.Client.find(clientId))!;
      Object.assign(client, { backchannelLogoutUri: uri, backchannelLogoutSessionRequired: namesSignIn });
    },
    async signOutEverywhere(subject) {
      const client = (await provider.Client.find(clientId)) as unknown as LogoutClient;
      await client.backchannelLogout(subject, '');
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
