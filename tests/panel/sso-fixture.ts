/** A service and its identity providers, and people who sign in with them. */
import { ssoReturnPath } from '@drawbridge/contract/panel/sso';
import type { OperationId } from '@drawbridge/contract/v1/index';
import type { DatabaseKind } from '../kit/server/database.ts';
import type { ReplyBody, TestAccount } from '../kit/server/account.ts';
import { openPanelClient, type PanelClient, type PanelResponse } from '../kit/server/panel.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { startForgingProvider, type ForgingProvider } from '../kit/sso/forging-provider.ts';
import { startOidcProvider, type OidcProvider } from '../kit/sso/oidc-provider.ts';
import { signInAtProvider } from '../kit/sso/provider-browser.ts';

export interface AddedProvider {
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
  ): Promise<{ browser: PanelClient; answer: PanelResponse }>;
  /** Signs in with the forging provider in a new browser. */
  forge(
    provider: AddedProvider,
    changed?: Record<string, string | undefined>,
  ): Promise<{ browser: PanelClient; answer: PanelResponse }>;
  /** The outcomes in the audit log of the account, newest first. */
  outcomes(account: TestAccount, operation: string): Promise<{ email: string; outcome: string }[]>;
}

export async function openSso(database?: DatabaseKind): Promise<SsoFixture> {
  const service = await startService({
    ...(database && { database }),
    env: { DRAWBRIDGE_SSO_LOOPBACK: 'true' },
    realTime: true,
  });
  const oidc = await startOidcProvider(`${service.server.config.publicUrl}${ssoReturnPath}`);
  const forging = await startForgingProvider();
  const self: SsoFixture = {
    service,
    oidc,
    forging,
    call: async ({ owner }, id, params = {}) => (await owner.call(id, params)).body,
    async add(account, { issuer, ca }, settings = {}) {
      const created = await self.call(account, 'team/provider/create', {
        name: 'Company',
        issuer,
        ca_cert: ca,
        client_id: oidc.clientId,
        client_secret: oidc.clientSecret,
        create_people: true,
        ...settings,
      });
      if (created.error) throw new Error(created.error.message);
      const { data } = await self.call(account, 'team/provider/list');
      const listed = data as { id: number; sign_in_name: string }[];
      const id = created['id'] as number;
      return { id, signInName: listed.find((each) => each.id === id)!.sign_in_name };
    },
    async begin({ signInName }) {
      const browser = openPanelClient(service);
      const { body } = await browser.ask('sign-in/sso/begin', { name: signInName });
      return { browser, url: body['url'] };
    },
    async signIn(provider, subject) {
      const { browser, url } = await self.begin(provider);
      const response = await signInAtProvider(url, { ca: oidc.ca, subject });
      return { browser, answer: await browser.ask('sign-in/sso', { response }) };
    },
    async forge(provider, changed) {
      const { browser, url } = await self.begin(provider);
      return {
        browser,
        answer: await browser.ask('sign-in/sso', { response: forging.answer(url, changed) }),
      };
    },
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
  return self;
}
