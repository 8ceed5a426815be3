/** What is read about identity providers. */
import type { MemberRef } from '../../../domain/people/panel.ts';
import type { ProviderConnection, ProviderSettings } from '../../../domain/people/provider.ts';

export interface MappedGroup {
  group: string;
  departmentId: number;
  department: string;
}

/** A provider without its secret. */
export interface ListedProvider extends ProviderSettings {
  id: number;
  issuer: string;
  signInName: string;
  /** How many people sign in with it. */
  people: number;
  groups: MappedGroup[];
}

/** A provider as one person of the account sees it. */
export interface OwnProvider {
  id: number;
  name: string;
  /** Absent if the person does not sign in with it. */
  identity?: { email: string; lastTime: number };
}

export interface ProviderReads {
  list(accountId: number): Promise<ListedProvider[]>;
  /** Whether people of the account can sign in only with a provider. */
  onlySso(accountId: number): Promise<boolean>;
  connection(accountId: number, id: number): Promise<ProviderConnection | undefined>;
  /** An enabled provider of any account by what a person entered on the sign-in page. */
  bySignInName(name: string): Promise<ProviderConnection | undefined>;
  /** The person who signs in with this subject. */
  holder(
    provider: { accountId: number; id: number },
    subject: string,
  ): Promise<(MemberRef & { email: string }) | undefined>;
  /** The enabled providers of the person's account. */
  ofMember(memberRef: MemberRef): Promise<OwnProvider[]>;
  /** Whether the person may connect the provider: the one who is responsible for it lacks none of their rights. */
  isVouched(memberRef: MemberRef, id: number): Promise<boolean>;
  /** The provider of this panel session, if the person signed in with one. */
  ofSession(accountId: number, sessionId: number): Promise<ProviderConnection | undefined>;
}
