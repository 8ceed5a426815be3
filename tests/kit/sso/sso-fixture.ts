/** A service and its identity providers, and people who sign in with them. */
import type { OperationId } from '@drawbridge/contract/v1/index';
import type { ReplyBody, TestAccount } from '../server/account.ts';
import { openPanelClient, type PanelClient, type PanelResponse } from '../server/panel.ts';
import { startService, type TestService } from '../server/service.ts';
import { startForgingProvider, type ForgingProvider } from './forging-provider.ts';
import { startOidcProvider, type OidcProvider } from './oidc-provider.ts';
import { signInAtProvider } from './provider-browser.ts';

interface AddedProvider {
  id: number;
  signInName: string;
}

export interface SsoFixture extends AsyncDisposable {
  service: TestService;
  oidc: OidcProvider;
  forging: ForgingProvider;
  /** Calls an operation as the owner of the account. */
  call(account: TestAccount, id: OperationId, params?: Record<string, unknown>): Promise<ReplyBody>;
  /** Adds one of the two providers to the account. */
  add(
    account: TestAccount,
    provider: { issuer: string; ca: string },
    settings?: Record<string, unknown>,
  ): Promise<AddedProvider>;
  /** Begins a sign-in in a new browser. */
  begin(provider: AddedProvider): Promise<{ browser: PanelClient; url: string }>;
  /** Signs in with the real provider in a new browser. */
  signIn(
    provider: AddedProvider,
    subject: string | undefined,
    cookies?: Map<string, string>,
  ): Promise<{ browser: PanelClient; answer: PanelResponse }>;
  /** Signs in with the forging provider in a new browser. */
  forge(
    provider: AddedProvider,
    changed?: Record<string, string | undefined>,
  ): Promise<{ browser: PanelClient; answer: PanelResponse }>;
  /** The outcomes in the audit log of the account, newest first. */
  outcomes(account: TestAccount, operation: string): Promise<{ email: string; outcome: string }[]>;
}

/** Adds a provider as the owner. */
const adding =
  ({ clientId, clientSecret, redirectUris, issuer: oidcIssuer }: OidcProvider): SsoFixture['add'] =>
  async ({ owner }, { issuer, ca }, settings = {}) => {
    const client = { client_id: clientId, client_secret: clientSecret };
    const provider = { name: 'Company', issuer, ca_cert: ca, ...client, create_people: true, ...settings };
    const created = (await owner.call('team/provider/create', provider)).body;
    if (created.error) throw new Error(created.error.message);
    const listed = (await owner.call('team/provider/list')).body['data'] as {
      id: number;
      sign_in_name: string;
      redirect_uri: string;
    }[];
    const id = created['id'] as number;
    const { sign_in_name, redirect_uri } = listed.find((each) => each.id === id)!;
    if (issuer === oidcIssuer) redirectUris.add(redirect_uri);
    return { id, signInName: sign_in_name };
  };

const signingIn = (
  service: TestService,
  oidc: OidcProvider,
  forging: ForgingProvider,
): Pick<SsoFixture, 'begin' | 'signIn' | 'forge'> => {
  const begin: SsoFixture['begin'] = async ({ signInName }) => {
    const browser = openPanelClient(service);
    const { body } = await browser.ask('sign-in/sso/begin', { name: signInName });
    return { browser, url: body['url'] as string };
  };
  return {
    begin,
    async signIn(provider, subject, cookies) {
      const { browser, url } = await begin(provider);
      const returned = await signInAtProvider(url, { ca: oidc.ca, subject }, cookies);
      return { browser, answer: await browser.ask('sign-in/sso', { ...returned }) };
    },
    async forge(provider, changed) {
      const { browser, url } = await begin(provider);
      return { browser, answer: await browser.ask('sign-in/sso', { ...forging.answer(url, changed) }) };
    },
  };
};

export async function openSso(): Promise<SsoFixture> {
  const service = await startService({ env: { DRAWBRIDGE_SSO_LOOPBACK: 'true' }, realTime: true });
  const oidc = await startOidcProvider(service.server.config.publicUrl);
  const forging = await startForgingProvider();
  return {
    service,
    oidc,
    forging,
    call: async ({ owner }, id, params = {}) => (await owner.call(id, params)).body,
    add: adding(oidc),
    ...signingIn(service, oidc, forging),
    async outcomes({ id }, operation) {
      const { rows } = await service.server.store.audit.list(id, { operation, offset: 0, limit: 100 });
      return rows.map(({ email, outcome }) => ({ email, outcome }));
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await oidc[Symbol.asyncDispose]();
      await forging[Symbol.asyncDispose]();
    },
  };
}
