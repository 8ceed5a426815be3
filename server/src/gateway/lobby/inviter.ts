/** Tells a client who created an invitation, before the client joins it. */
import type { SessionSubject } from '@drawbridge/contract/session/open';
import { brandView } from '../../domain/people/brand.ts';
import { isOpen, statusAt } from '../../domain/support.ts';
import type { Reads } from '../../store/store.ts';
import type { JoinCodeLimiter } from './join-code-limiter.ts';

interface InviterDeps {
  store: Pick<Reads, 'accounts' | 'invitations' | 'brands'> & { now(): number };
  /** How long an invitation waits for a client, in seconds. */
  lifetime: number;
  joinCodes: JoinCodeLimiter;
}

/** Counts as an attempt to join, because the answer reveals whether a code is valid. */
export async function inviterOf(
  { store, lifetime, joinCodes }: InviterDeps,
  code: string,
  address: string,
): Promise<SessionSubject | 'busy' | undefined> {
  const attempt = await joinCodes.begin({ code, key: '' }, address);
  if (!attempt) return 'busy';
  const found = await store.invitations.byCode(code);
  if (!found || !isOpen(statusAt(found.invitation, store.now(), lifetime))) return undefined;
  attempt.right();
  const { accountId } = found.invitation;
  return {
    name: '',
    owner: found.owner,
    brand: brandView(await store.brands.of(accountId)),
    record: (await store.accounts.settings(accountId)).record,
  };
}
