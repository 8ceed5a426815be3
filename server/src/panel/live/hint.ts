/** A hint for open panels that something changed. */
import type { TeamPermission } from '@drawbridge/contract/permissions';

/** That something changed; the receiver decides who may be notified. Plain data, because it is sent over the bus. */
export type Hint =
  /** `ids` absent: any device. `inGroup`: those that were in this group. `of`: as one person sees it. */
  | { topic: 'agents'; ids?: readonly number[]; inGroup?: number; of?: number }
  | { topic: 'groups' | 'support'; ids: readonly number[] }
  | { topic: 'sessions'; ids?: readonly number[] }
  | { topic: 'team' | 'account'; right: TeamPermission }
  /** `of` absent: anyone's. */
  | { topic: 'keys'; of?: number }
  /** Everyone's, one person's, or that of one panel session. */
  | { topic: 'me'; of?: number; session?: number }
  /** One person's, or those of everyone with some permission on the device. */
  | { topic: 'notifications'; of: number }
  | { topic: 'notifications'; onAgent: number }
  /** What server administrators see of the server itself. */
  | { topic: 'server' }
  /** Somebody may no longer be signed in. */
  | { topic: 'signed_in' };

/** A hint for the people of one account. */
export type AccountHint = Hint & { accountId: number };
