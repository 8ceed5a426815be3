/** What the audit log records besides the operations of the two APIs: sessions, links, and commands on the server's machine. */

export type SessionEvent =
  `session/${'open' | 'resume' | 'close' | 'again' | 'record' | 'note' | 'changed-key'}`;

type LinkEvent = `link/${'permanent' | 'onetime' | 'operator'}`;

export type ServerEvent =
  `server/${'account-create' | 'plan-set' | 'sign-in-create' | 'enroll-create' | 'key-create' | 'operator-add' | 'operator-remove'}`;

export type AuditedEvent = SessionEvent | LinkEvent | ServerEvent;
