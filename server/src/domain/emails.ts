/** The texts of the e-mails that the server sends. What people entered is on lines of its own. */

/** An e-mail to one person. */
export interface Email {
  to: string;
  subject: string;
  text: string;
}

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
