/** Who signs in with an identity provider, in SQL: people are bound to provider and subject, never to an e-mail address. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import type { Kysely, Selectable } from 'kysely';
import type { Member } from '../../../domain/people/members.ts';
import type { MemberRef } from '../../../domain/people/panel.ts';
import { unvouchedProvider, type SsoPerson } from '../../../domain/people/provider.ts';
import type { Tables } from '../../engine/schema.ts';
import type { Change, ChangesOf, Tx } from '../../engine/transaction.ts';
import { bumpRightsVersion, lockRights } from '../account-versions.ts';
import { hasMoreRightsThan } from '../actors.ts';
import { addMember, findMember } from '../members.ts';
import { addPanelSession, lockEnabledMember } from '../sign-in/panel-sessions.ts';
import { signsInWithProvider } from './provider-guards.ts';
import { followGroups } from './provider-memberships.ts';
import { isOnlySso, providerRow, wasLoggedOut } from './provider-reads.ts';

type Provider = Selectable<Tables['provider']>;

const refuse = (code: string, message: string): Fault<'forbidden'> => fault('forbidden', { code, message });

const unknownPerson = refuse(
  'sso_unknown_person',
  'Nobody in the account signs in with this identity. Ask the people who look after your account to invite you.',
);
const noEmail = refuse(
  'sso_no_email',
  'The provider sends no verified e-mail address for you. Ask the people who look after it.',
);
const emailTaken = refuse(
  'sso_email_taken',
  'Somebody in the account already has your e-mail address. If it is you, sign in as before, and connect this provider in your profile.',
);
const disabled = refuse('sso_disabled', 'You can no longer sign in to this account.');
const loggedOut = refuse('sso_logged_out', 'The provider has signed you out again. Sign in again.');
const providerGone = refuse('sso_off', 'This provider can no longer be used to sign in.');

async function identityOf(
  db: Kysely<Tables>,
  { account_id, id }: Provider,
  subject: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('provider_identity')
    .select('member_id')
    .where('account_id', '=', account_id)
    .where('provider_id', '=', id)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.member_id;
}

async function bind({ db, now }: Tx, provider: Provider, memberId: number, person: SsoPerson): Promise<void> {
  await db
    .insertInto('provider_identity')
    .values({
      account_id: provider.account_id,
      provider_id: provider.id,
      member_id: memberId,
      subject: person.subject,
      email: person.email ?? '',
      create_time: now,
      last_time: now,
    })
    .execute();
}

/** Whether the person has a method with which they can sign in. */
async function hasMethod(db: Kysely<Tables>, { accountId, memberId }: MemberRef): Promise<boolean> {
  if (await signsInWithProvider(db, { accountId, memberId })) return true;
  if (await isOnlySso(db, accountId)) return false;
  const passkeys = await db
    .selectFrom('passkey')
    .select('id')
    .where('account_id', '=', accountId)
    .where('member_id', '=', memberId)
    .execute();
  const person = await db
    .selectFrom('member')
    .select('password')
    .where('account_id', '=', accountId)
    .where('id', '=', memberId)
    .executeTakeFirst();
  return passkeys.length > 0 || (person?.password ?? null) !== null;
}

/** Whether an invited person, who never signed in, is the one whom the provider describes. */
async function mayAdopt(
  tx: Tx,
  provider: Provider,
  known: Member,
  { emailVerified }: SsoPerson,
): Promise<boolean> {
  if (provider.adopt === 0 || known.state !== 'invited' || emailVerified !== true) return false;
  const memberRef = { accountId: known.accountId, memberId: known.id };
  if (await hasMethod(tx.db, memberRef)) return false;
  // Anyone who controls the provider acts as this person, so they get nobody with more rights than the one who set it up.
  return !(await hasMoreRightsThan(tx, memberRef, provider.member_id));
}

async function activate(db: Kysely<Tables>, { accountId, id }: Member): Promise<void> {
  const memberId = id;
  await db
    .deleteFrom('sign_in_link')
    .where('account_id', '=', accountId)
    .where('member_id', '=', memberId)
    .execute();
  await db
    .updateTable('member')
    .set({ state: 'active' })
    .where('account_id', '=', accountId)
    .where('id', '=', memberId)
    .execute();
}

/** Binds an invited or a new person at their first sign-in. */
async function admit(tx: Tx, provider: Provider, person: SsoPerson): Promise<number | Fault<'forbidden'>> {
  const { db, now } = tx;
  const { account_id: accountId } = provider;
  const { email, emailVerified } = person;
  if (provider.create_people === 0 && provider.adopt === 0) return unknownPerson;
  if (email === undefined || emailVerified === false) return noEmail;
  const known = await findMember(db, accountId, email);
  if (known && !(await mayAdopt(tx, provider, known, person))) return emailTaken;
  if (!known && provider.create_people === 0) return unknownPerson;
  if (known) await activate(db, known);
  const { id } = known ?? (await addMember(db, { accountId, email, owner: false, state: 'active', now }));
  await bind(tx, provider, id, person);
  await bumpRightsVersion(db, accountId);
  return id;
}

async function noteUse({ db, now }: Tx, provider: Provider, { subject, email }: SsoPerson): Promise<void> {
  await db
    .updateTable('provider_identity')
    .set({ last_time: now, email: email ?? '' })
    .where('account_id', '=', provider.account_id)
    .where('provider_id', '=', provider.id)
    .where('subject', '=', subject)
    .execute();
}

async function hasTotp(db: Kysely<Tables>, { accountId, memberId }: MemberRef): Promise<boolean> {
  const row = await db
    .selectFrom('totp')
    .select('member_id')
    .where('account_id', '=', accountId)
    .where('member_id', '=', memberId)
    .where('confirm_time', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

const signIn: Change<'providers/sign-in'> = async (tx, { accountId, id, person, session }) => {
  const { db } = tx;
  await lockRights(db, accountId);
  const provider = await providerRow(db, accountId, id);
  if (provider?.enabled !== 1) return providerGone;
  const memberId = (await identityOf(db, provider, person.subject)) ?? (await admit(tx, provider, person));
  if (isFault(memberId)) return memberId;
  const memberRef = { accountId, memberId };
  if (!(await lockEnabledMember(db, memberRef))) return disabled;
  await noteUse(tx, provider, person);
  await followGroups(tx, { ...memberRef, providerId: id }, person.groups);
  const asksForCode = await hasTotp(db, memberRef);
  const { sid } = person;
  if (await wasLoggedOut(db, memberRef, { providerId: id, sid, begun: session.begun })) return loggedOut;
  if (!asksForCode) await addPanelSession(tx, memberRef, { ...session, providerId: id, sid });
  return { memberId, asksForCode };
};

const link: Change<'providers/link'> = async (tx, { accountId, memberId, id, person }) => {
  await lockRights(tx.db, accountId);
  const provider = await providerRow(tx.db, accountId, id);
  if (provider?.enabled !== 1) return fault('not_found', { field: 'id' });
  if ((await identityOf(tx.db, provider, person.subject)) !== undefined)
    return fault('invalid', {
      code: 'sso_taken',
      message: 'Somebody in the account already signs in with this identity.',
    });
  const own = await tx.db
    .selectFrom('provider_identity')
    .select('subject')
    .where('account_id', '=', accountId)
    .where('member_id', '=', memberId)
    .where('provider_id', '=', id)
    .executeTakeFirst();
  if (own)
    return fault('invalid', {
      code: 'sso_linked',
      message: 'You already sign in with this provider. Disconnect it first.',
    });
  if (await hasMoreRightsThan(tx, { accountId, memberId }, provider.member_id)) return unvouchedProvider;
  await bind(tx, provider, memberId, person);
  return {};
};

const unlink: Change<'providers/unlink'> = async ({ db }, { accountId, memberId, id }) => {
  await lockRights(db, accountId);
  const row = await db
    .deleteFrom('provider_identity')
    .where('account_id', '=', accountId)
    .where('member_id', '=', memberId)
    .where('provider_id', '=', id)
    .returning('subject')
    .executeTakeFirst();
  if (!row) return fault('not_found', { field: 'id' });
  if (!(await hasMethod(db, { accountId, memberId })))
    return fault('invalid', {
      code: 'last_way_in',
      message: 'This provider is your only way to sign in: set a password or add a passkey first.',
    });
  return {};
};

export const providerSignInChanges: ChangesOf<`providers/${'sign-in' | 'link' | 'unlink'}`> = {
  'providers/sign-in': signIn,
  'providers/link': link,
  'providers/unlink': unlink,
};
