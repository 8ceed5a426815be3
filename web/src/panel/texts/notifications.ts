/** Texts of notifications: the list, the subscriptions and the settings. */
import { numeral } from './language.ts';

export const notificationTexts = {
  title: 'Notifications',
  bell: (unread: number, waiting: number, emergencies: number) =>
    ['Notifications']
      .concat(emergencies === 0 ? [] : `${numeral(emergencies)} with emergency access`)
      .concat(unread === 0 ? [] : `${numeral(unread)} unread`)
      .concat(waiting === 0 ? [] : `${numeral(waiting)} waiting for a decision`)
      .join(', '),
  tabs: { label: 'Parts of the notifications', list: 'Notifications', settings: 'Settings' },
  list: {
    label: 'Your notifications',
    none: 'No notifications',
    noneText: 'Subscribe to a device on its page, to a group in its menu, or to everything in the settings.',
    toSettings: 'Open the settings',
    unread: 'Unread',
    readAll: 'Mark all as read',
    read: (title: string) => `Mark as read: ${title}`,
    older: 'Show older ones',
    kept: 'Notifications are kept for 30 days, the newest 500 of them.',
  },
  requests: {
    label: 'Requests for access that wait for a decision',
    title: (email: string, role: string, target: string) => `${email} asks for access: ${role} on ${target}`,
    more: (count: number) => `${numeral(count)} more`,
  },
  emergencies: {
    label: 'Emergency access that others have now',
    title: (email: string, role: string, target: string) =>
      `${email} took emergency access: ${role} on ${target}`,
    until: 'Ends',
  },
  approvals: {
    label: 'Sessions that wait for a second person',
    title: (operator: string, device: string) =>
      `${operator === '' ? 'Somebody with the password of the device' : operator} waits for a second person on ${device}`,
    until: 'Waits until',
    reason: 'Reason',
    may: 'May',
    recorded: 'The session is recorded.',
    command: 'To approve, ask them for their code in person or by phone, and run this with your key:',
    commandLabel: (device: string) => `Command to approve the session on ${device}`,
    more: (count: number) => `${numeral(count)} more: drawbridge approve`,
  },
  kinds: {
    offline: 'A device is offline',
    back: 'A device is back online',
    session_began: 'Somebody else begins a session',
    new_device: 'A new device is added',
    client_waits: 'A client waits for support',
  },
  form: {
    minutes: 'Minutes offline before it is reported',
    minutesHint: 'From 1 to 1440. A device is back when it has been online for a minute.',
    save: 'Save',
    saved: 'The subscription is saved.',
    end: 'End the subscription',
    ended: 'The subscription has ended.',
    sessionsNeed: 'Reported only where you may see the session history.',
  },
  device: {
    title: 'Notifications of this device',
    own: 'This subscription decides for this device alone. If nothing is chosen, nothing is reported.',
    inherited: (from: string) =>
      `Your subscription to ${from} applies. Save another choice here to replace it for this device.`,
    none: 'You are not subscribed to this device.',
    everything: 'all devices',
  },
  clients: {
    offer: 'Notify me when a client waits',
    done: 'You will be notified when a client waits, as long as the panel is open.',
  },
  group: { menu: 'Notify me', title: (name: string) => `Notifications of ${name}` },
  settings: {
    all: 'All devices',
    allLead:
      'Reports every device for which you may manage notifications. A subscription to a device or a group replaces this one there.',
    channels: 'How you are notified',
    panel: 'In the panel: always.',
    mail: 'Also by e-mail',
    mailLead: (email: string) => `E-mails are sent to ${email}. What you have read by then is not mailed.`,
    noMail: 'This server sends no e-mail.',
    browser: 'Notifications of this browser',
    browserLead:
      'Shown while the panel is open in a tab and you look at something else. Stored in this browser.',
    browserOn: 'Turn on',
    browserOff: 'Turn off',
    browserIsOn: 'They are on in this browser.',
    browserIsOff: 'They are off in this browser.',
    browserDenied:
      'This browser does not allow notifications from this page. Allow them in the settings of the browser.',
    browserMissing:
      'This browser cannot show notifications. On an iPhone or iPad, add the panel to the home screen first.',
    subscriptions: 'Your subscriptions',
    none: 'You have no subscriptions to devices or groups.',
    kinds: 'Reports',
    muted: 'Nothing: muted',
    after: (minutes: number) => `after ${numeral(minutes)} min`,
    silent: 'You no longer have the permission, so nothing is reported.',
    gone: { device: 'A device', group: 'A group' },
    of: { device: (name: string) => `Device ${name}`, group: (name: string) => `Group ${name}` },
    end: (name: string) => `End the subscription to ${name}`,
    limit: (limit: number) => `A person can have ${numeral(limit)} subscriptions.`,
  },
} as const;
