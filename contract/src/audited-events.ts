/** What the audit log records besides the operations of the two APIs: sessions, links, commands on the server's machine, and what the server does itself. */

export type SessionEvent =
  `session/${'open' | 'resume' | 'approval' | 'close' | 'again' | 'record' | 'note' | 'changed-key'}`;

type LinkEvent = `link/${'permanent' | 'onetime' | 'operator'}`;

export type ServerEvent =
  `server/${'account-create' | 'plan-set' | 'sign-in-create' | 'enroll-create' | 'key-create' | 'operator-add' | 'operator-remove'}`;

/** What the server does without being asked. */
export type AutomaticEvent = `server/${'updates-pause' | 'directory-run' | 'access-end' | 'webhook-disable'}`;

/** What identity providers do with their tokens. */
export type ProvisioningEvent =
  | `scim/${'user' | 'group'}-${'create' | 'read' | 'replace' | 'patch' | 'remove'}`
  /** The use of a token that gives nothing any more. */
  | 'scim/token-use';

/** What identity providers do without a token of theirs. */
export type ProviderEvent = 'sso/logout';

export type AuditedEvent =
  | SessionEvent
  | ProvisioningEvent
  | ProviderEvent
  | LinkEvent
  | ServerEvent
  | AutomaticEvent;
