/** The shape of a handler of the panel's own rows, derived from the row it serves. */
import type { Output, Refusal } from '@drawbridge/contract/operation';
import type { PanelRow } from '@drawbridge/contract/panel/row';
import type { MemberRef } from '../domain/panel.ts';
import type { CallerContext, HandlerContext, RenderedJson, HandlerRequest } from '../handlers/handler.ts';
import type { Store } from '../store/store.ts';
import type { SignInLimits } from './sign-in/sign-in-limits.ts';

/** What the panel's handlers get beyond what every handler gets. */
export interface PanelContext extends HandlerContext {
  /** For what is not the change of the request itself: that one goes through `change`, with its line in the audit log. */
  store: Store;
  /** `queueKey`: who waits for it, see passwords.ts. */
  verifyPassword(password: string, hash: string, queueKey: string): Promise<boolean>;
  /** Spends the time of a check where there is nothing to check. */
  fakeVerify(queueKey: string): Promise<false>;
  /** Random bytes, for secrets of authenticator apps and challenges. */
  randomBytes(count: number): Uint8Array;
  /** Does something once the answer is on its way; what goes wrong with it is logged. */
  runAfterResponse(work: () => Promise<void>): void;
  /** How often somebody may guess. */
  tries: SignInLimits;
  version: string;
}

/** From where somebody asks. */
export interface PanelRequester {
  address: string;
  userAgent: string;
  /** The cookie that came along, whatever it is worth. */
  token: string | undefined;
}

/** The place where the one who asks is signed in. */
export interface CurrentSession {
  id: number;
  freshTime: number;
  /** What every POST of this session brings back. */
  csrf: string;
}

/** A person whose audit log a request belongs to, though they are not signed in. */
export type IdentifiedMember = MemberRef & { email: string };

interface RowRequest<O extends PanelRow> extends Pick<HandlerRequest<O>, 'input' | 'granted' | 'change'> {
  requester: PanelRequester;
}

/** Before signing in: `change` works, and refusals are written down, once it is known whose log they belong to. */
export interface AnonymousRequest<O extends PanelRow> extends RowRequest<O> {
  /** Says whose audit logs the request belongs to: all of them get a refusal's line, the first one a change's. */
  identify(...people: readonly IdentifiedMember[]): void;
}

export interface MemberRequest<O extends PanelRow> extends RowRequest<O>, Omit<CallerContext, 'key'> {
  /** Looks after the server itself. */
  operator: boolean;
  session: CurrentSession;
}

export type PanelRequest<O extends PanelRow> = O extends { who: 'anyone' }
  ? AnonymousRequest<O>
  : MemberRequest<O>;

/** What may stand beside the fields of a reply: a new cookie, or that there is to be none any more. */
export interface CookieChange {
  cookie?: { token: string } | 'clear';
}

/** A row without fields of its own may still change the cookie. */
type Reply<O extends PanelRow> =
  Output<O> extends Record<string, never> ? CookieChange : Output<O> & CookieChange;

export type PanelHandler<O extends PanelRow> = (
  request: PanelRequest<O>,
  context: PanelContext,
) => Promise<Reply<O> | RenderedJson<O> | Refusal<O>>;

/** One handler per row: a missing one, or one without a row, does not compile. */
export type PanelHandlers<Rows extends Record<string, PanelRow>> = {
  [Id in keyof Rows]: PanelHandler<Rows[Id]>;
};
