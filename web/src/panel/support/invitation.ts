/** What can be said of an invitation: its code as people read it, where it stands, and the words to send to the client. */
import type { Output } from '@drawbridge/contract/operation';
import type { V1 } from '@drawbridge/contract/v1/index';
import { t } from '../texts/index.ts';
import { language } from '../texts/language.ts';
import type { Tone } from '../ui/layout.tsx';

export type Invitation = Output<V1['support/info']>['data'];

const { support: texts } = t;

/** In groups of three, as it is read out. */
export const readableCode = (code: string): string => code.replace(/(?<=\d)(?=(?:\d{3})+$)/g, ' ');

export const waiting = 0;
export const joined = 1;
export const closed = 3;

const tones: readonly Tone[] = ['plain', 'good', 'accent', 'plain'];
export const toneOf = ({ status }: Pick<Invitation, 'status'>): Tone => tones[status] ?? 'plain';

/** Whom one speaks of: by name where it is known, by code where not. */
export const whomOf = ({
  client_name,
  invite_code,
}: Pick<Invitation, 'client_name' | 'invite_code'>): string => client_name || readableCode(invite_code);

/** The page at which the code is typed: the link without it. */
export const codePageOf = (inviteUrl: string): string => inviteUrl.replace(/\/[^/]*$/, '');

export function letterTo({
  invite_url,
  invite_code,
}: Pick<Invitation, 'invite_url' | 'invite_code'>): string {
  return texts.sharing.letter({
    url: invite_url,
    page: codePageOf(invite_url),
    code: readableCode(invite_code),
  });
}

export const mailTo = (invitation: Pick<Invitation, 'invite_url' | 'invite_code'>): string =>
  `mailto:?subject=${encodeURIComponent(texts.sharing.subject)}&body=${encodeURIComponent(letterTo(invitation))}`;

type Seen = Pick<Invitation, 'id' | 'status'>;

/** Where each status stands in the list: clients who wait for somebody come first. */
const order: readonly number[] = [2, 0, 1, 3];

export const byUrgency = <Each extends Seen>(invitations: readonly Each[]): Each[] =>
  invitations.toSorted((one, other) => order[one.status]! - order[other.status]! || other.id - one.id);

/** Those whose client came since the list was seen before. */
export function arrivals<Each extends Seen>(before: readonly Seen[], now: readonly Each[]): Each[] {
  const stood = new Map(before.map(({ id, status }) => [id, status]));
  return now.filter(({ id, status }) => status === joined && stood.get(id) === waiting);
}

/** What the API says where the plan has no limit. */
export const unlimited = 2_147_483_647;

/** Undefined where the plan has no limit. */
export const leftOf = (remain: number): number | undefined => (remain >= unlimited ? undefined : remain);

/** The first day of the next month, when invitations are counted anew; months are those of UTC. */
export function nextMonth(now: number): Date {
  const date = new Date(now * 1_000);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1));
}

const dayFormat = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' });

export const remainSentence = (remain: number, now: number): string | undefined => {
  const left = leftOf(remain);
  if (left === undefined) return undefined;
  return left === 0 ? texts.usedUp(dayFormat.format(nextMonth(now))) : texts.remain(left);
};
