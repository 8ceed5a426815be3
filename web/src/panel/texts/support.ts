/** Texts of quick support. */
export const supportTexts = {
  title: 'Quick support',
  create: 'Invite a client',
  empty: {
    title: 'No open invitations',
    text:
      'Quick support is for somebody who has nothing installed. They open a link or type a code in their browser, ' +
      'and you see what they share.',
  },
  remain: (count: number) =>
    count === 1 ? 'One invitation is left this month.' : `${count} invitations are left this month.`,
  usedUp: (from: string) =>
    `The invitations of this month are used up. You can create new ones from ${from} on, or with a larger plan.`,
  list: 'Open invitations',
  invitation: (code: string) => `Invitation ${code}`,
  code: 'Code',
  copyCode: 'Copy the code',
  statuses: ['Waiting for the client', 'The client is here', 'In session', 'Closed'],
  systems: { win: 'Windows', mac: 'macOS', linux: 'Linux', android: 'Android', '': '' },
  screenOf: (name: string) => `Screen of ${name}`,
  createdBy: (person: string) => `by ${person}`,
  mine: 'by you',
  created: 'Created',
  connect: 'Connect',
  connectRecorded: 'Connect and record',
  share: 'Code and link',
  rename: 'Rename…',
  close: 'Close…',
  moreOf: (code: string) => `More for ${code}`,
  here: (whom: string) => `The client is here: ${whom}.`,
  closing: {
    title: 'Close this invitation?',
    text: (code: string) =>
      `The code ${code} and its link stop working. If somebody is connected, both sides are disconnected.`,
    yes: 'Close the invitation',
    done: 'The invitation is closed.',
  },
  naming: {
    title: 'Name of the client',
    label: 'Name of the client',
    hint: 'For yourself, so that you know whom you invited. The client does not see it.',
    ownerHint: 'Only the owner of the account sees it. It replaces the name that was there.',
    optional: 'Name of the client (optional)',
  },
  sharing: {
    title: 'Invite the client',
    read: (page: string) => `Read out the code. The client types it at ${page}`,
    link: 'Or send the link',
    qr: 'The link as a QR code',
    message: 'Or send a message with both',
    showMessage: 'Show the message',
    copyMessage: 'Copy the message',
    mail: 'Write an e-mail',
    status: [
      'Waiting for the client to open the link…',
      'The client is here. You can connect.',
      'The session is running.',
      'This invitation is closed. The code and the link do not work any more.',
    ],
    early: 'You can connect now and wait there, or come back when the client is here.',
    subject: 'Help with your computer',
    letter: ({ url, page, code }: { url: string; page: string; code: string }) =>
      [
        'Hello,',
        '',
        'please open this link so that I can help you with your computer:',
        url,
        '',
        `Or open ${page} and type the code ${code}`,
        '',
        'You are asked before I see anything, and you can end it at any time.',
      ].join('\n'),
  },
} as const;
