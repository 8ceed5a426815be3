/** Identity providers of an account (OpenID Connect), and what they say about a person who signs in. */
import { fault } from '@drawbridge/contract/faults';

/** Anyone who controls the provider acts as the people who use it, whatever name it has. */
export const unvouchedProvider = fault('forbidden', {
  code: 'sso_unvouched',
  message:
    'This provider was set up by somebody who has fewer rights than you, and who could sign in as you with it. Ask the owner to check its settings and save them.',
});

export interface ProviderSettings {
  name: string;
  /** The certificates (PEM) that the provider's must descend from; empty for those that Node trusts. */
  ca: string;
  clientId: string;
  /** Separated by spaces, with `openid` among them. */
  scopes: string;
  /** Empty if groups are not read. */
  groupsClaim: string;
  /** Whether people who sign in for the first time are added to the account. */
  createPeople: boolean;
  /** Whether invited people who never signed in are recognised by a verified e-mail address. */
  adopt: boolean;
  enabled: boolean;
}

/** What is absent or undefined stays as it is. */
export type ChangedProvider = { [Each in keyof ProviderSettings]?: ProviderSettings[Each] | undefined };

/** A provider with the secret, which nobody can read back. */
export interface ProviderConnection extends ProviderSettings {
  accountId: number;
  id: number;
  issuer: string;
  /** Names it in its sign-in link, and in the address at which the browser returns. */
  signInName: string;
  /** Undefined if the key that opens it is not on this server. */
  clientSecret: string | undefined;
}

/** A person as the provider describes them. */
export interface SsoPerson {
  /** Never changes and is never given to another person, unlike the e-mail address. */
  subject: string;
  /** Undefined if there is none that can be used. */
  email: string | undefined;
  /** Undefined if the provider does not say. */
  emailVerified: boolean | undefined;
  groups: readonly string[];
  /** How the provider names this sign-in; absent if it does not. */
  sid?: string | undefined;
}

/** The sign-in at a provider that something in the panel began with. */
export interface ProviderSignIn {
  providerId: number;
  /** Empty if the provider gave it no name. */
  sid: string;
}

/** What a provider wants to end: one sign-in, or all of a person. At least one of `sid` and `subject` is there. */
export interface ProviderLogout {
  /** Names the request, so that it counts once. */
  jti: string;
  sid: string | undefined;
  subject: string | undefined;
}

/** What is wrong with a provider, as `team/provider/check` says it. */
export type ProviderProblem =
  | 'unreachable'
  | 'address'
  | 'certificate'
  | 'timeout'
  | 'too_large'
  | 'not_found'
  | 'unreadable'
  | 'wrong_issuer'
  | 'no_code_flow'
  | 'no_pkce'
  | 'insecure_endpoint'
  | 'credentials'
  | 'secret_unreadable'
  | 'failed';

/** What must be unchanged when the browser returns from the provider. */
export interface SsoChecks {
  state: string;
  nonce: string;
  /** The secret of PKCE. */
  verifier: string;
  /** If the person had to authenticate again: when that was requested. */
  reauthenticatedSince?: number;
}

export interface SsoRedirect extends SsoChecks {
  redirectUri: string;
}

/** `response`: the query with which the browser returned. */
export interface SsoAnswer extends SsoRedirect {
  response: string;
}

/** The conversation with providers. `problem` says why there is no result. */
export interface IdentityProviders {
  check(provider: ProviderConnection): Promise<ProviderProblem | undefined>;
  /** The address at the provider to which the browser is sent. */
  authorizationUrl(
    provider: ProviderConnection,
    redirect: SsoRedirect,
  ): Promise<{ url: string } | { problem: ProviderProblem }>;
  /** Exchanges the code for the claims of the person; `refused` if the answer is not valid for this sign-in. */
  complete(
    provider: ProviderConnection,
    returned: SsoAnswer,
  ): Promise<{ person: SsoPerson } | { problem: ProviderProblem } | { refused: string }>;
  /** Where the browser signs out at the provider; undefined if the provider has no such page. */
  signOutUrl(provider: ProviderConnection, returnTo: string): Promise<string | undefined>;
  /** What the token of a back-channel logout asks for; `refused` if it is not a valid one of this provider. */
  readLogout(
    provider: ProviderConnection,
    token: string,
  ): Promise<{ logout: ProviderLogout } | { problem: ProviderProblem } | { refused: string }>;
}

/** Beyond these, groups and e-mail addresses from a provider are ignored. */
const maxGroups = 1_000;
const maxGroupLength = 256;
const emailForm = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;
const maxEmailLength = 254;
/** As the standard says of subjects; longer names of sign-ins are ignored. */
export const maxSubjectLength = 255;

const toGroups = (claim: unknown): string[] => {
  const given: unknown[] = Array.isArray(claim) ? claim.slice(0, maxGroups) : [claim];
  return given.filter(
    (each) => typeof each === 'string' && each !== '' && each.length <= maxGroupLength,
  ) as string[];
};

/**
 * Entra ID sends no `email_verified`. If it is told to, it says in `xms_edov` whether the owner of the domain of the address is
 * the organisation, which it has checked.
 */
const isVerified = ({
  email_verified: verified,
  xms_edov: edov,
}: Readonly<Record<string, unknown>>): boolean | undefined => {
  if (typeof verified === 'boolean') return verified;
  return verified === undefined && [true, 1, '1', 'true'].some((each) => each === edov) ? true : undefined;
};

/** The person in the claims of a provider, which can be anything. */
export function toSsoPerson(
  claims: Readonly<Record<string, unknown>> & { sub: string },
  groupsClaim: string,
): SsoPerson {
  const { sub: subject, email, sid } = claims;
  const isUsable =
    typeof email === 'string' &&
    email.length <= maxEmailLength &&
    email.isWellFormed() &&
    emailForm.test(email);
  return {
    subject,
    email: isUsable ? email : undefined,
    emailVerified: isVerified(claims),
    groups: groupsClaim === '' ? [] : toGroups(claims[groupsClaim]),
    ...(typeof sid === 'string' && sid.length <= maxSubjectLength && { sid }),
  };
}
