/** Somebody at the panel: a browser's cookie and what its pages send along, over the real transport. */
import { csrfHeader, panel, panelPrefix, type PanelId } from '@drawbridge/contract/panel/index';
import { inputLocation, type Operation } from '@drawbridge/contract/operation';
import { v1, type OperationId } from '@drawbridge/contract/v1/index';
import { random, digestOf, hmacOf } from '@drawbridge/server/edges/random';
import { cookieName } from '@drawbridge/server/panel/sign-in/cookie';
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
  /** The value of the cookie; undefined when there is none. */
  cookie: string | undefined;
  /** Goes back with every POST; undefined leaves it out. */
  csrf: string | undefined;
  /** What the browser and its page send along. */
  headers(method: string, given?: Record<string, string>): Record<string, string>;
  /** Asks for one of the panel's own rows. Headers given here win; an empty one is left out. */
  ask(id: PanelId, params?: Params, headers?: Record<string, string>): Promise<PanelResponse>;
  /** Asks for a row of the API, as the pages do. */
  v1(id: OperationId, params?: Params, headers?: Record<string, string>): Promise<PanelResponse>;
}

function setCookieOf(headers: PanelResponse['headers']): string | undefined {
  const [line] = [headers['set-cookie'] ?? []].flat();
  return line?.split(';')[0]?.slice(cookieName.length + 1);
}

const queryOf = (params: Params): string => {
  const pairs = Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
};

const parsed = (text: string): ReplyBody => (text.startsWith('{') ? (JSON.parse(text) as ReplyBody) : {});

/** A browser at the panel of this service, not signed in. What it is told to keep, it keeps. */
export function openPanelClient({
  testClient,
  server,
}: Pick<TestService, 'testClient' | 'server'>): PanelClient {
  const { origin } = new URL(server.config.publicUrl);

  const headersFor = (method: string, given: Record<string, string>): Record<string, string> => {
    const own = {
      'sec-fetch-site': 'same-origin',
      ...(method === 'POST' && { origin, 'content-type': 'application/json' }),
      ...(method === 'POST' && self.csrf !== undefined && { [csrfHeader]: self.csrf }),
      ...(self.cookie !== undefined && { cookie: `${cookieName}=${self.cookie}` }),
      ...given,
    };
    return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== ''));
  };

  async function send(
    row: Operation,
    path: string,
    params: Params,
    given: Record<string, string>,
  ): Promise<PanelResponse> {
    const { method } = row;
    const asked = { method, headers: headersFor(method, given) };
    const answer =
      inputLocation(row) === 'query'
        ? await testClient.send({ ...asked, path: path + queryOf(params) })
        : await testClient.send({ ...asked, path, body: JSON.stringify(params) });
    const token = setCookieOf(answer.headers);
    if (token !== undefined) {
      self.cookie = token === '' ? undefined : token;
      self.csrf = token === '' ? undefined : hmacOf(token, 'csrf');
    }
    return { http: answer.http, headers: answer.headers, body: parsed(answer.text) };
  }

  const self: PanelClient = {
    cookie: undefined,
    csrf: undefined,
    headers: (method, given = {}) => headersFor(method, given),
    ask: (id, params = {}, headers = {}) => send(panel[id], panelPrefix + id, params, headers),
    v1: (id, params = {}, headers = {}) => send(v1[id], `${panelPrefix}v1/${id}`, params, headers),
  };
  return self;
}

/** Signs a person in without a detour; what their browser would keep as a cookie. */
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

/** A person of an account at the panel, signed in. */
export async function openSignedInPanel(
  service: Pick<TestService, 'testClient' | 'server'>,
  account: Pick<TestAccount, 'id'>,
  person: Pick<TestPerson, 'id'>,
): Promise<PanelClient> {
  const token = await createPanelSession(service, account, person);
  return Object.assign(openPanelClient(service), { cookie: token, csrf: hmacOf(token, 'csrf') });
}

/** Gives a person a password, without a detour. */
export async function setPassword(
  { server }: Pick<TestService, 'server'>,
  account: Pick<TestAccount, 'id'>,
  person: Pick<TestPerson, 'id'>,
  password: string,
): Promise<void> {
  const hash = await hashPassword(password, 'tests');
  const memberRef = { accountId: account.id, memberId: person.id };
  await must(server.store, 'members/password', { ...memberRef, password: hash, keep: 0 });
}
