/** A client of the panel: a browser's cookie and what its pages send, over the real transport. */
import { isFault } from '@drawbridge/contract/faults';
import { csrfHeader, panel, panelPrefix, type PanelId } from '@drawbridge/contract/panel/index';
import { inputLocation, type Operation } from '@drawbridge/contract/operation';
import { v1, type OperationId } from '@drawbridge/contract/v1/index';
import { random, digestOf, hmacOf } from '@drawbridge/server/edges/random';
import { cookieName, ssoCookieName } from '@drawbridge/server/panel/sign-in/cookie';
import { hashPassword } from '@drawbridge/server/edges/passwords';
import { must, type ReplyBody, type TestPerson, type TestAccount } from './account.ts';
import type { TestService } from './service.ts';

type Params = Record<string, unknown>;

export interface PanelResponse {
  http: number;
  headers: Record<string, string | string[] | undefined>;
  body: ReplyBody;
}

export interface PanelClient {
  /** The value of the cookie; undefined if there is none. */
  cookie: string | undefined;
  /** The cookie that names the browser towards identity providers. */
  ssoCookie: string | undefined;
  /** Sent with every POST; undefined omits it. */
  csrf: string | undefined;
  /** What the browser and its page send. */
  headers(method: string, given?: Record<string, string>): Record<string, string>;
  /**
   * Calls one of the panel's own operations. Headers given here override the default ones; an empty one is
   * omitted.
   */
  ask(id: PanelId, params?: Params, headers?: Record<string, string>): Promise<PanelResponse>;
  /** Calls an operation of the API, as the pages do. */
  v1(id: OperationId, params?: Params, headers?: Record<string, string>): Promise<PanelResponse>;
}

function setCookieOf(headers: PanelResponse['headers'], name: string): string | undefined {
  const line = [headers['set-cookie'] ?? []].flat().find((each) => each.startsWith(`${name}=`));
  return line?.split(';')[0]?.slice(name.length + 1);
}

const queryOf = (params: Params): string => {
  const pairs = Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
};

const parsed = (text: string): ReplyBody => (text.startsWith('{') ? (JSON.parse(text) as ReplyBody) : {});

function headersOf(
  {
    origin,
    csrf,
    cookie,
    ssoCookie,
  }: Pick<PanelClient, 'csrf' | 'cookie' | 'ssoCookie'> & { origin: string },
  method: string,
  given: Record<string, string>,
): Record<string, string> {
  const cookies = [
    ...(cookie === undefined ? [] : [`${cookieName}=${cookie}`]),
    ...(ssoCookie === undefined ? [] : [`${ssoCookieName}=${ssoCookie}`]),
  ];
  const own = {
    'sec-fetch-site': 'same-origin',
    ...(method === 'POST' && { origin, 'content-type': 'application/json' }),
    ...(method === 'POST' && csrf !== undefined && { [csrfHeader]: csrf }),
    ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
    ...given,
  };
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== ''));
}

/** A browser at the panel of this service, not signed in. It stores the cookies it is sent. */
export function openPanelClient({
  testClient,
  server,
}: Pick<TestService, 'testClient' | 'server'>): PanelClient {
  const { origin } = new URL(server.config.publicUrl);

  async function send(
    row: Operation,
    path: string,
    params: Params,
    given: Record<string, string>,
  ): Promise<PanelResponse> {
    const { method } = row;
    const asked = { method, headers: self.headers(method, given) };
    const answer =
      inputLocation(row) === 'query'
        ? await testClient.send({ ...asked, path: path + queryOf(params) })
        : await testClient.send({ ...asked, path, body: JSON.stringify(params) });
    self.ssoCookie = setCookieOf(answer.headers, ssoCookieName) ?? self.ssoCookie;
    const token = setCookieOf(answer.headers, cookieName);
    if (token !== undefined) {
      self.cookie = token === '' ? undefined : token;
      self.csrf = token === '' ? undefined : hmacOf(token, 'csrf');
    }
    return { http: answer.http, headers: answer.headers, body: parsed(answer.text) };
  }

  const self: PanelClient = {
    cookie: undefined,
    ssoCookie: undefined,
    csrf: undefined,
    headers: (method, given = {}) => headersOf({ origin, ...self }, method, given),
    ask: (id, params = {}, headers = {}) => send(panel[id], panelPrefix + id, params, headers),
    v1: (id, params = {}, headers = {}) => send(v1[id], `${panelPrefix}v1/${id}`, params, headers),
  };
  return self;
}

/** Signs a person in directly in the store; returns the cookie their browser would have. */
export async function createPanelSession(
  { server }: Pick<TestService, 'server'>,
  account: Pick<TestAccount, 'id'>,
  person: Pick<TestPerson, 'id'>,
): Promise<string> {
  const token = random.token();
  const session = { digest: digestOf(token), address: '127.0.0.1', userAgent: 'test' };
  await must(server.store, 'panel/sessions/open', { accountId: account.id, memberId: person.id, session });
  return token;
}

/** A member of an account at the panel, signed in. */
export async function openSignedInPanel(
  service: Pick<TestService, 'testClient' | 'server'>,
  account: Pick<TestAccount, 'id'>,
  person: Pick<TestPerson, 'id'>,
): Promise<PanelClient> {
  const token = await createPanelSession(service, account, person);
  return Object.assign(openPanelClient(service), { cookie: token, csrf: hmacOf(token, 'csrf') });
}

/** Sets a person's password directly in the store. */
export async function setPassword(
  { server }: Pick<TestService, 'server'>,
  account: Pick<TestAccount, 'id'>,
  person: Pick<TestPerson, 'id'>,
  password: string,
): Promise<void> {
  const hash = await hashPassword(password, 'tests');
  if (isFault(hash)) throw new Error('too many passwords wait to be hashed');
  const memberRef = { accountId: account.id, memberId: person.id };
  await must(server.store, 'members/password', { ...memberRef, password: hash, keep: 0 });
}
