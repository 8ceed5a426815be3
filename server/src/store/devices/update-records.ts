/** What can be read about updates of agents. */
import type { ListedUpdate, PausedBy, UpdateSettings } from '../../domain/devices/updates.ts';

export interface UpdateReads {
  settings(accountId: number): Promise<UpdateSettings & { paused: PausedBy }>;
  /** All devices of the account, or the one with this id. */
  devices(accountId: number, now: number, id?: number): Promise<ListedUpdate[]>;
  /** The accounts whose devices update themselves, without those that are paused. */
  running(): Promise<(UpdateSettings & { accountId: number })[]>;
}
