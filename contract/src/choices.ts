/** Values that both the schemas and the pages use. Without zod, so that a page that imports them does not load it. */

/** How many characters a password has that opens something: that of a person and that of a permanent link. */
export const passwordLength = { least: 8, most: 256 };

/** What accounts of a server can be sorted by; without it, they are listed oldest first. */
export const accountSorts = ['owner', 'members', 'devices', 'since'] as const;

/** What people can be notified of: of one device, of a group, and in all. */
export const deviceNotificationKinds = ['offline', 'back', 'session_began'] as const;
export const groupNotificationKinds = [...deviceNotificationKinds, 'new_device'] as const;
export const notificationKinds = [...groupNotificationKinds, 'client_waits'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** What webhooks are told of. */
export const webhookEvents = [
  'access_requested',
  'access_approved',
  'access_denied',
  'access_withdrawn',
  'access_ended',
  'emergency_access',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
