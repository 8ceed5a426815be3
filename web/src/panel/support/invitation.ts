/** Describes invitations: the formatted code, the status, the message to the client, and the remaining quota. */
import type { Output } from '@drawbridge/contract/operation';
import type { V1 } from '@drawbridge/contract/v1/index';
import { t } from '../texts/index.ts';
import { language } from '../texts/language.ts';
import type { Tone } from '../ui/layout.tsx';

export type SupportInvitation = Output<V1['support/info']>['data'];

const { support: texts } = t;

/** Groups the digits by three. */
export const formatInviteCode = (code: string): string => code.replace(/(?<=\d)(?=(?:\d{3})+$)/g, ' ');

export const waitingStatus = 0;
export const joinedStatus = 1;
export const closedStatus = 3;

const tones: readonly Tone[] = ['plain', 'good', 'accent', 'plain'];
export const toneOf = ({ status }: Pick<SupportInvitation, 'status'>): Tone => tones[status] ?? 'plain';

/** The client's name, or the code if the name is unknown. */
export const clientLabel = ({
  client_name,
  invite_code,
}: Pick<SupportInvitation, 'client_name' | 'invite_code'>): string =>
  client_name || formatInviteCode(invite_code);

/** The page where the client types the code: the invitation link without the code. */
export const toCodePageUrl = (inviteUrl: string): string => inviteUrl.replace(/\/[^/]*$/, '');

export function invitationMessage({
  invite_url,
  invite_code,
}: Pick<SupportInvitation, 'invite_url' | 'invite_code'>): string {
  return texts.sharing.letter({
    url: invite_url,
    page: toCodePageUrl(invite_url),
    code: formatInviteCode(invite_code),
  });
}

export const toMailtoUrl = (invitation: Pick<SupportInvitation, 'invite_url' | 'invite_code'>): string =>
  `mailto:?subject=${encodeURIComponent(texts.sharing.subject)}&body=${encodeURIComponent(invitationMessage(invitation))}`;

type StatusOnly = Pick<SupportInvitation, 'id' | 'status'>;

/** The sort position of each status: clients who wait for an operator come first. */
const order: readonly number[] = [2, 0, 1, 3];

export const sortByUrgency = <Each extends StatusOnly>(invitations: readonly Each[]): Each[] =>
  invitations.toSorted((one, other) => order[one.status]! - order[other.status]! || other.id - one.id);

/** The invitations whose client joined since the previous list. */
export function newlyJoined<Each extends StatusOnly>(
  before: readonly StatusOnly[],
  now: readonly Each[],
): Each[] {
  const stood = new Map(before.map(({ id, status }) => [id, status]));
  return now.filter(({ id, status }) => status === joinedStatus && stood.get(id) === waitingStatus);
}

/** The value that the API returns if the plan has no limit. */
export const unlimitedRemain = 2_147_483_647;

/** Undefined if the plan has no limit. */
const remainingOf = (remain: number): number | undefined => (remain >= unlimitedRemain ? undefined : remain);

/** The start of the next month in UTC, when the count of invitations is reset. */
export function nextMonth(now: number): Date {
  const date = new Date(now * 1_000);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1));
}

const dayFormat = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' });

export const remainText = (remain: number, now: number): string | undefined => {
  const left = remainingOf(remain);
  if (left === undefined) return undefined;
  return left === 0 ? texts.usedUp(dayFormat.format(nextMonth(now))) : texts.remain(left);
};
