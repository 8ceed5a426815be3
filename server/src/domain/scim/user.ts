/** People as identity providers see them, and what a resource that they send means for a person here. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import { email as emailSchema } from '@drawbridge/contract/fields';
import { parseAs } from '@drawbridge/contract/parse';
import { stripHostileCharacters, truncate } from '../text.ts';
import type { ScimValues } from './attributes.ts';
import { invalidValue } from './values.ts';

/** A person, with what the identity provider has said about them. */
export interface ScimUser {
  id: number;
  userName: string;
  externalId: string | null;
  email: string;
  /** The name that others see; empty if there is none. */
  name: string;
  active: boolean;
  createTime: number;
  modifyTime: number;
  /** All other attributes; undefined before the identity provider has said anything. */
  profile: ScimValues | undefined;
}

/** What a resource says about a person. */
export interface UserContent {
  userName: string;
  externalId: string | null;
  email: string;
  name: string;
  /** Undefined if the resource does not say: the person stays as they are. */
  active: boolean | undefined;
  profile: ScimValues;
}

const maxUserNameLength = 254;
const maxExternalIdLength = 256;
const maxNameLength = 128;
/** What is stored about a person beside their account, as JSON. */
const maxProfileLength = 16_384;

/** The attributes that can be patched and filtered. */
export const toUserValues = ({ profile, ...user }: ScimUser): ScimValues => ({
  id: String(user.id),
  userName: user.userName,
  ...(user.externalId !== null && { externalId: user.externalId }),
  active: user.active,
  ...(profile ?? {
    ...(user.name !== '' && { displayName: user.name }),
    emails: [{ value: user.email, type: 'work', primary: true }],
  }),
  meta: {
    resourceType: 'User',
    created: new Date(user.createTime * 1_000).toISOString(),
    lastModified: new Date(user.modifyTime * 1_000).toISOString(),
  },
});

/**
 * A given and a family name of somebody about whom the identity provider has said nothing: some require both of everybody.
 * They are shown and not stored, because they are a guess.
 */
export function nameParts({ name, email }: Pick<ScimUser, 'name' | 'email'>): ScimValues {
  const words = (name === '' ? email.split('@')[0]!.split(/[._-]/) : name.split(' ')).filter(Boolean);
  const familyName = words.at(-1) ?? email;
  const givenName = words.slice(0, -1).join(' ') || familyName;
  return { givenName, familyName };
}

export function readUserContent(values: ScimValues): UserContent | Fault<'invalid'> {
  const { id: _id, meta: _meta, userName, externalId = null, active, ...profile } = values;
  if (typeof userName !== 'string' || userName.trim() === '')
    return fault('invalid', { code: 'invalid_value', field: 'userName', message: 'userName is missing.' });
  if (userName.length > maxUserNameLength)
    return invalidValue('userName', `userName must have at most ${maxUserNameLength} characters.`);
  if (externalId !== null && (externalId as string).length > maxExternalIdLength)
    return invalidValue('externalId', `externalId must have at most ${maxExternalIdLength} characters.`);
  if (JSON.stringify(profile).length > maxProfileLength)
    return invalidValue('', `All attributes together must have at most ${maxProfileLength} characters.`);
  const email = emailOf(userName, profile);
  if (isFault(email)) return email;
  return {
    userName: userName.trim(),
    externalId: externalId as string | null,
    email,
    name: nameOf(profile),
    active: active as boolean | undefined,
    profile,
  };
}

/** The primary address, or else the one for work, or else the first; without any, the user name must be one. */
function emailOf(userName: string, profile: ScimValues): string | Fault<'invalid'> {
  const emails = ((profile['emails'] ?? []) as ScimValues[]).filter((each) => each['value'] !== undefined);
  const chosen =
    emails.find((each) => each['primary'] === true) ??
    emails.find((each) => String(each['type']).toLowerCase() === 'work') ??
    emails[0];
  const read = parseAs(emailSchema, chosen ? chosen['value'] : userName);
  if (read.data !== undefined) return read.data;
  return chosen
    ? invalidValue('emails', 'emails must hold e-mail addresses.')
    : invalidValue('userName', 'userName must be an e-mail address if emails has none.');
}

/** Others see this name, so it must not deceive them. */
function nameOf({ displayName, name }: ScimValues): string {
  const parts = (name ?? {}) as Record<string, string | undefined>;
  const joined = [parts['givenName'], parts['familyName']].filter(Boolean).join(' ');
  const chosen = (displayName as string | undefined) ?? parts['formatted'] ?? joined;
  return truncate(stripHostileCharacters(chosen).trim(), maxNameLength).trim();
}
