/** What the parts of the story of the small firm share. */
import type { OperationId } from '@drawbridge/contract/v1/index';
import type { ReplyBody, TestAccount } from '../../kit/server/account.ts';
import type { TestService } from '../../kit/server/service.ts';

/** Sends a request as the owner and keeps it with its reply; resolves with the reply. */
type Tell = (id: OperationId, params?: Record<string, unknown>) => Promise<ReplyBody>;

export interface Story {
  tell: Tell;
  service: TestService;
  account: TestAccount;
}
