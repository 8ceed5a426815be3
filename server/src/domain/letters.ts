/** The letters that the server sends, word for word. What people wrote stands on lines of its own. */

/** A letter to one person. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
}

interface Link {
  /** The e-mail address of the owner of the account it opens. */
  owner: string;
  url: string;
}

export const invitationLetter = (to: string, { owner, url }: Link): Letter => ({
  to,
  subject: 'You are invited to Drawbridge',
  text: [
    `${owner} invites you to join their team on Drawbridge for remote support.`,
    `Open this link to begin. It works once and expires in 7 days:`,
    url,
    `If you do not know them, ignore this e-mail. Nothing happens unless you open the link.`,
  ].join('\n\n'),
});

/** For somebody who asked by themselves. */
export const forgottenLetter = (to: string, links: readonly Link[]): Letter => ({
  to,
  subject: 'Set a new Drawbridge password',
  text: [
    'Someone, probably you, asked for a link to set a new password on Drawbridge.',
    'It works once and expires in one hour. After you use it, you are signed out everywhere else.',
    ...links.map(({ owner, url }) => (links.length > 1 ? `Account of ${owner}:\n${url}` : url)),
    'If it was not you, ignore this e-mail. Your password does not change.',
  ].join('\n\n'),
});

/** For somebody for whom another person of the account made it. */
export const resetLetter = (to: string, { by, url }: { by: string; url: string }): Letter => ({
  to,
  subject: 'Set a new Drawbridge password',
  text: [
    `${by} created a link for you to set a new password on Drawbridge.`,
    'It works once and expires in one day. After you use it, you are signed out everywhere else.',
    url,
    'If you did not ask for it, tell this person.',
  ].join('\n\n'),
});
