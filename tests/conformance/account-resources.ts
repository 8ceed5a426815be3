/** One of everything in an account, for the derived tests. */
import type { TestPerson, TestAccount } from '../kit/server/account.ts';
import type { PluggedIn } from '../kit/agent/device.ts';

export interface EnrolledDevice {
  id: number;
  deviceId: number;
  plug: PluggedIn;
}

/** One of everything. Each is created when it is first used, and is the same from then on. */
export interface AccountResources {
  account: TestAccount;
  /** The group that both devices are in. */
  group(): Promise<number>;
  agent(): Promise<EnrolledDevice>;
  /** The device that a merge keeps; it is also the neighbour that wakes the other. */
  target(): Promise<EnrolledDevice>;
  role(): Promise<number>;
  department(): Promise<number>;
  /** A directory that cannot be reached. */
  directory(): Promise<number>;
  /** An identity provider that cannot be reached. */
  provider(): Promise<number>;
  /** The token of an identity provider. */
  scimToken(): Promise<number>;
  /** A webhook that cannot be reached. */
  webhook(): Promise<number>;
  colleague(): Promise<TestPerson>;
  /** An invitation that the owner created. */
  invitation(): Promise<number>;
  /** A key of the colleague. */
  key(): Promise<number>;
  /** A token of the owner, with which devices enrol. */
  token(): Promise<number>;
  /** A file that is attached to the device. */
  file(): Promise<number>;
  /** A running connection of the owner to the device. */
  session(): Promise<number>;
  /** A request of somebody for access to the device; it waits for an answer. */
  request(): Promise<number>;
  /** A connection that is over and was recorded. */
  recorded(): Promise<number>;
}
