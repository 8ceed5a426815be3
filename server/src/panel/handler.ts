/** The type of a handler of the panel's own rows, derived from the row it serves. */
import type { Output, Refusal } from '@drawbridge/contract/operation';
import type { PanelRow } from '@drawbridge/contract/panel/row';
import type {
  DirectoryConnection,
  DirectoryMatch,
  DirectoryPassword,
} from '../domain/people/directory-connection.ts';
import type { PasswordMatch } from '../edges/passwords.ts';
import type { CallerContext, HandlerContext, RenderedJson, HandlerRequest } from '../handlers/handler.ts';
import type { Store } from '../store/store.ts';
import type { SignInLimits } from './sign-in/sign-in-limits.ts';

/** What the panel's handlers receive beyond what every handler receives. */
export interface PanelContext extends HandlerContext {
  /** For changes other than that of the request itself, which goes through `change` with its audit line. */
  store: Store;
  /** `queueKey`: whose queue the check waits in, see passwords.ts. */
  verifyPassword(password: string, hash: string, queueKey: string): Promise<PasswordMatch>;
  /** Takes as long as a check when there is nothing to check. */
  fakeVerify(queueKey: string): Promise<Exclude<PasswordMatch, 'right'>>;
  /** Checks a password with the directory that the person came from. */
  verifyDirectoryPassword(connection: DirectoryConnection, given: DirectoryPassword): Promise<DirectoryMatch>;
  /** Random bytes, for secrets of authenticator apps and challenges. */
  randomBytes(count: number): Uint8Array;
  /** Runs the work after the response is sent; errors are logged. */
  runAfterResponse(work: () => Promise<void>): void;
  /** The limits for guesses. */
  tries: SignInLimits;
  version: string;
  /** SHA-256 of the public key in the server's certificate, base64; empty if it is publicly trusted. */
  keyPin(): string;
  /** Undefined after a success, and without automatic certificates. */
  renewalFailure(): RenewalFailure | undefined;
}

/** Why the certificate of the server was not renewed; times in seconds since 1970. */
export interface RenewalFailure {
  error: string;
  /** Failed attempts since the last success. */
  attempts: number;
  /** Whether the certificate in use is from the authority, not one that the server created itself. */
  issued: boolean;
  retry_time: number;
  /** When the certificate in use ends. */
  expire_time: number;
}

/** Where a request comes from. */
export interface PanelRequester {
  address: string;
  userAgent: string;
  /** The cookie of the request, not verified. */
  token: string | undefined;
  /** The cookie that names the browser towards identity providers, not verified. */
  ssoToken: string | undefined;
}

/** The panel session of the caller. */
export interface CurrentSession {
  id: number;
  freshTime: number;
  /** The token that every POST of this session must send. */
  csrf: string;
}

/** A person in whose account's audit log a request belongs, although they are not signed in; null if they are not known. */
type IdentifiedMember = { accountId: number; memberId: number | null; email: string };

interface RowRequest<O extends PanelRow> extends Pick<HandlerRequest<O>, 'input' | 'granted' | 'change'> {
  requester: PanelRequester;
}

/** Before signing in, `change` works and refusals are logged once the request is assigned to an audit log. */
export interface AnonymousRequest<O extends PanelRow> extends RowRequest<O> {
  /**
   * Names the people whose audit logs the request belongs to: all of them get the line of a refusal, the first one that
   * of a change.
   */
  identify(...people: readonly IdentifiedMember[]): void;
}

export interface MemberRequest<O extends PanelRow> extends RowRequest<O>, Omit<CallerContext, 'key'> {
  /** Whether the person is a server administrator. */
  operator: boolean;
  session: CurrentSession;
}

type PanelRequest<O extends PanelRow> = O extends { who: 'anyone' } ? AnonymousRequest<O> : MemberRequest<O>;

/** What a handler can return besides the fields of a reply: a new cookie, or the removal of the cookie. */
export interface CookieChange {
  cookie?: { token: string } | 'clear';
  /** The cookie that names the browser towards identity providers. A reply changes only one of the two. */
  ssoCookie?: string;
}

/** A row without fields of its own can still change the cookie. */
type Reply<O extends PanelRow> =
  Output<O> extends Record<string, never> ? CookieChange : Output<O> & CookieChange;

type PanelHandler<O extends PanelRow> = (
  request: PanelRequest<O>,
  context: PanelContext,
) => Promise<Reply<O> | RenderedJson<O> | Refusal<O>>;

/** One handler per row: a missing or an extra one does not compile. */
export type PanelHandlers<Rows extends Record<string, PanelRow>> = {
  [Id in keyof Rows]: PanelHandler<Rows[Id]>;
};
