/** The texts of the e-mails that the server sends. What people entered is on lines of its own. */
import type { MemberRef } from './people/panel.ts';

/** An e-mail to one person. */
export interface Email {
  to: string;
  subject: string;
  text: string;
  /** Identifies the e-mail, so that one that is sent twice is recognized. */
  messageId?: string;
}

/** Sends e-mails that a person causes, as far as the budgets allow, and returns whether all were sent. */
export type MailBy = (person: MemberRef, emails: readonly Email[]) => Promise<boolean>;

interface AccountLink {
  /** The e-mail address of the owner of the account it opens. */
  owner: string;
  url: string;
}

export const invitationEmail = (to: string, { owner, url }: AccountLink): Email => ({
  to,
  subject: 'You are invited to Drawbridge',
  text: [
    `${owner} invites you to join their team on Drawbridge for remote support.`,
    `Open this link to begin. It works once and expires in 7 days:`,
    url,
    `If you do not know them, ignore this e-mail. Nothing happens unless you open the link.`,
  ].join('\n\n'),
});

/** For somebody who requested it themselves. */
export const forgotPasswordEmail = (to: string, links: readonly AccountLink[]): Email => ({
  to,
  subject: 'Set a new Drawbridge password',
  text: [
    'Someone, probably you, asked for a link to set a new password on Drawbridge.',
    'It works once and expires in one hour. After you use it, you are signed out everywhere else.',
    ...links.map(({ owner, url }) => (links.length > 1 ? `Account of ${owner}:\n${url}` : url)),
    'If it was not you, ignore this e-mail. Your password does not change.',
  ].join('\n\n'),
});

/** For somebody for whom another person of the account created it. */
export const resetPasswordEmail = (to: string, { by, url }: { by: string; url: string }): Email => ({
  to,
  subject: 'Set a new Drawbridge password',
  text: [
    `${by} created a link for you to set a new password on Drawbridge.`,
    'It works once and expires in one day. After you use it, you are signed out everywhere else.',
    url,
    'If you did not ask for it, tell this person.',
  ].join('\n\n'),
});

interface MailedNotifications {
  /** A sentence for each and its time in unix seconds, newest first. */
  notifications: readonly { title: string; time: number }[];
  /** The page of the notifications, and that of the settings. */
  pages: { list: string; settings: string };
  messageId: string;
}

/** A subject is one line of limited length; names of devices can be long. */
const maxSubjectLength = 120;

/** In UTC, because the server does not know the time zone of the person. */
const utcTime = (time: number): string =>
  `${new Date(time * 1_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export function notificationsEmail(to: string, mailed: MailedNotifications): Email {
  const { notifications, pages, messageId } = mailed;
  const [first] = notifications;
  const subject = first && notifications.length === 1 ? first.title : `${notifications.length} notifications`;
  return {
    to,
    subject: subject.length > maxSubjectLength ? `${subject.slice(0, maxSubjectLength - 1)}…` : subject,
    text: [
      ...notifications.map(({ title, time }) => `${title}\n${utcTime(time)}`),
      `Open your notifications:\n${pages.list}`,
      `You receive this e-mail because you subscribed to it on Drawbridge. Change what is mailed to you:\n${pages.settings}`,
    ].join('\n\n'),
    messageId,
  };
}

interface MailedRequest {
  /** Who asked, or took access in an emergency. */
  who: string;
  reason: string;
  minutes: number;
  emergency: boolean;
  url: string;
}

/** For everyone who may decide about a request for access, or could have. */
export const accessRequestEmail = (to: string, request: MailedRequest): Email => ({
  to,
  subject: request.emergency ? 'Emergency access on Drawbridge' : 'A request for access on Drawbridge',
  text: [
    request.emergency
      ? `${request.who} took access in an emergency, for ${request.minutes} minutes. Reason:`
      : `${request.who} asks for access, for ${request.minutes} minutes. Reason:`,
    request.reason,
    request.emergency ? 'See what it is, and end it if it is wrong:' : 'Approve or deny it here:',
    request.url,
  ].join('\n\n'),
});

/** For everyone who looks after the people of an account. */
export const webhookDisabledEmail = (to: string, { name, url }: { name: string; url: string }): Email => ({
  to,
  subject: 'A webhook on Drawbridge is disabled',
  text: [
    'The server disabled a webhook, because it has accepted no message for five days:',
    name,
    'Check the receiver, then enable the webhook again:',
    url,
  ].join('\n\n'),
});

/** For the person who asked for access. */
export const accessDecisionEmail = (
  to: string,
  { by, denied, url }: { by: string; denied?: string | undefined; url: string },
): Email => ({
  to,
  subject: denied === undefined ? 'Access approved on Drawbridge' : 'Access denied on Drawbridge',
  text: [
    denied === undefined
      ? `${by} approved your request for access. It begins now.`
      : `${by} denied your request for access. Reason:`,
    ...(denied === undefined ? [] : [denied]),
    url,
  ].join('\n\n'),
});
