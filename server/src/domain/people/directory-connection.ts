/** The connection of an account to an LDAP directory, and what can go wrong when it is read. */
import type { DirectorySnapshot } from './directory.ts';

export interface DirectorySettings {
  name: string;
  /** `ldaps://`, or `ldap://`, where the connection is encrypted with StartTLS. */
  url: string;
  /** The certificates (PEM) that the directory's must descend from; empty for those that Node trusts. */
  ca: string;
  bindDn: string;
  base: string;
  personFilter: string;
  groupFilter: string;
  /** Whether local people with the address of an entry come under the control of the directory. */
  adopt: boolean;
  /** Whether its people sign in with its password. */
  signIn: boolean;
  /** How often it is imported; 0 for only when somebody asks. */
  everyMinutes: number;
  /** An import that takes away more than this share of people or memberships stops. */
  removalPercent: number;
}

/** How many directories an account can have. */
export const maxDirectories = 100;

/** What is absent or undefined stays as it is. */
export type ChangedSettings = { [Each in keyof DirectorySettings]?: DirectorySettings[Each] | undefined };

/** With the password, which nobody can read back. Undefined if the key that opens it is not on this server. */
export interface DirectoryConnection extends DirectorySettings {
  bindPassword: string | undefined;
}

/** `rights`: a scheduled import would give more than the person who set it up could give. */
export type ReadFailure =
  | 'unreachable'
  | 'certificate'
  | 'credentials'
  | 'secret_unreadable'
  | 'settings'
  | 'timeout'
  | 'too_large'
  | 'incomplete'
  | 'address'
  | 'no_uid'
  | 'rights'
  | 'failed';

/** Why something could not be read whole. */
export interface FailedReading {
  failure: ReadFailure;
}

export type DirectoryReading = { snapshot: DirectorySnapshot } | FailedReading;

/** The settings that decide which server receives the password. */
const serverSettings = ['url', 'ca'] as const;

/**
 * Whether a change of the settings sends the password somewhere else. The person who makes it must then know the
 * password: otherwise they could have it sent to a server of their own.
 */
export const leadsElsewhere = (before: DirectorySettings, changed: ChangedSettings): boolean =>
  serverSettings.some((each) => changed[each] !== undefined && changed[each] !== before[each]);

/** Refuses to replace a password that is not kept here. */
export const passwordOfDirectory = {
  code: 'from_directory',
  message: 'The password is that of the directory. Change it there.',
};

/** `busy`: too many checks wait for this server. */
export type DirectoryMatch = 'right' | 'wrong' | 'unavailable' | 'busy';

export interface DirectoryPassword {
  directoryId: number;
  /** The uid of the person's entry. */
  uid: string;
  password: string;
}
