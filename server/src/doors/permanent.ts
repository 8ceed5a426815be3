/** The permanent link of a device: a password opens it, and guessing is slowed down without ever locking anybody out. */
import { errorOf, isFault } from '@drawbridge/contract/faults';
import type { House } from '../handlers/handler.ts';
import type { Page } from '../http/pages.ts';
import { isDisabled } from '../domain/plan.ts';
import { unlessCrowded } from '../passwords.ts';
import { createRate } from '../rate.ts';
import type { Agent } from '../domain/agents.ts';
import type { Store } from '../store/store.ts';
import type { Door, Knock } from './door.ts';
import { mintLink } from './mint.ts';
import { blockedDevice, linkPage } from './page.ts';

export interface PasswordCheck {
  verifyPassword(password: string, hash: string): Promise<boolean>;
  /** Spends the time of a check on a link that is not there. */
  burnPassword(): Promise<false>;
}

const path = '/p/:path';

export function permanentDoors(
  house: House,
  store: Store,
  { verifyPassword, burnPassword }: PasswordCheck,
): Door[] {
  const { now } = house;
  const [perLink, perAddress] = [
    createRate({ perSecond: 0.05, burst: 10 }),
    createRate({ perSecond: 0.2, burst: 20 }),
  ];

  async function find(knock: Knock): Promise<Agent | undefined> {
    const known = await store.devices.byPath(knock.params['path'] ?? '');
    const agent =
      known && (await store.agents.find({ accountId: known.accountId, memberId: 0 }, { id: known.id }));
    return agent?.permanentEnabled && agent.approved ? agent : undefined;
  }
  const isBlocked = async (agent: Agent): Promise<boolean> =>
    isDisabled(agent, await store.plan.state(agent.accountId), now());

  /** A path that is not there shows the same form, so that paths can not be found by trying. */
  const ask = async (
    knock: Knock,
    sentence = 'Enter the password of this device to connect to it.',
    http = 200,
  ): Promise<Page> =>
    linkPage({
      http,
      title: 'Connect to a device',
      says: [sentence],
      form: { action: `/p/${knock.params['path']}`, password: true, button: 'Connect' },
    });

  return [
    { method: 'GET', path, open: (knock) => ask(knock) },
    {
      method: 'POST',
      path,
      async open(knock) {
        if (!perAddress.allow(knock.address) || !perLink.allow(knock.params['path'] ?? ''))
          return ask(knock, tooMany, 429);
        const password = new URLSearchParams(knock.body?.toString('utf8')).get('password') ?? '';
        const agent = await find(knock);
        const stored = agent?.permanentPassword;
        const right = await unlessCrowded(() => (stored ? verifyPassword(password, stored) : burnPassword()));
        if (isFault(right)) return ask(knock, errorOf(right).message, 429);
        if (!agent || !right) return ask(knock, 'That password does not open this link.', 403);
        if (await isBlocked(agent)) return blockedDevice;
        return mintLink(agent, 'permanent', knock.address, { ...house, store });
      },
    },
  ];
}

const tooMany = 'There were too many tries. Wait a minute, then try again.';
