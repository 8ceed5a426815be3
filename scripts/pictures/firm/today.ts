/** The current state of a fictional firm: invited clients, running sessions, keys, and other accounts on the server. */
import { random, digestOf } from '@drawbridge/server/edges/random';
import { clientSubject, previewSubject } from '@drawbridge/server/gateway/lobby/lobby-subjects';
import { must, type TestAccount } from '../../../tests/kit/server/account.ts';
import type { TestService } from '../../../tests/kit/server/service.ts';
import type { ScreenContent } from './devices.ts';
import { office, userAgent, type FirmContext } from './past.ts';
import { ben, clara, owner } from './people.ts';

const day = 86_400;
const hour = 3_600;

/** One invitation of each kind: two wait, one client has joined, one is in a session. */
export async function inviteClients(
  firm: FirmContext,
  screens: Record<ScreenContent, string>,
): Promise<void> {
  const { service, account, members } = firm;
  await invite(firm, owner, 'Mrs Brandt', '237814665');
  await invite(firm, ben, 'Mr Miller', '904417352');
  await invite(firm, clara, 'Dr Moor', '551208934');
  await invite(firm, owner, 'Library, Ines', '716330948');
  const helped = await joinAs(service, '551208934', 'mac', screens.letter);
  await must(service.server.store, 'invitations/happen', {
    accountId: account.id,
    id: helped,
    event: 'operator_joins',
    lifetime: 7 * day,
  });
  await joinAs(service, '904417352', 'win', screens.sheet);
  const session = { who: members[clara]!, login: clara, invitationId: helped, agentId: null };
  await startFirmSession(service, account, session);
}

async function invite(
  { service, account, members }: FirmContext,
  who: string,
  clientName: string,
  code: string,
): Promise<void> {
  const invitation = { clientName, codes: [code], connectToken: random.token() };
  const input = { accountId: account.id, memberId: members[who]!, ...invitation };
  await must(service.server.store, 'invitations/create', input);
  service.advance(540);
}

/** Joins as the client of the invitation with this code, and returns its id. */
async function joinAs(
  { server: { store, bus } }: TestService,
  code: string,
  os: 'win' | 'mac' | 'linux',
  picture: string,
): Promise<number> {
  const seen = { preview: random.token(), until: store.now() + day, lifetime: 7 * day };
  const { invitation } = await must(store, 'invitations/join', { code, key: 'k'.repeat(43), os, ...seen });
  bus.answer(previewSubject(invitation.id), async () => ({ type: 'image/jpeg', picture }));
  bus.answer(clientSubject(invitation.id), async () => true);
  return invitation.id;
}

interface FirmSession {
  who: number;
  login: string;
  agentId: number | null;
  invitationId: number | null;
}

/** A session that is still running. */
export async function startFirmSession(
  { server: { store } }: TestService,
  { id: accountId }: TestAccount,
  { who, ...rest }: FirmSession,
): Promise<void> {
  const from = { userAgent, geo: office, start: store.now() - 380 };
  const { id } = await must(store, 'sessions/start', { accountId, memberId: who, ...rest, ...from });
  await must(store, 'sessions/alive', { sessions: [{ id, bytes: 0 }] });
}

/** Creates keys some weeks before `today`. */
export async function createFirmKeys(
  { service, account, members }: FirmContext,
  today: number,
): Promise<void> {
  const { store } = service.server;
  const accountId = account.id;
  for (const [who, name, prefix, days, networks, usedBefore] of [
    [owner, 'Monitoring', 'kR7vQ2', null, ['203.0.113.0/24'], 240],
    [owner, 'Monthly report', 'Zp41xW', 310, [], 5 * day],
    [clara, 'Ticket system', 'h9TbLs', 64, ['203.0.113.24', '2001:db8:40::/48'], 3 * hour],
    [ben, 'Trial', 'Qm8yDf', -6, [], null],
  ] as const) {
    const key = {
      digest: digestOf(name),
      prefix,
      name,
      expireTime: days === null ? null : today + days * day,
      networks,
    };
    const { id } = await must(store, 'keys/create', { accountId, memberId: members[who]!, key });
    if (usedBefore !== null)
      await must(store, 'keys/used', { uses: [{ accountId, keyId: id, time: today - usedBefore }] });
    service.advance(2 * day + hour);
  }
}

/** Creates other accounts on the same server. Returns the ids of their devices that are online. */
export async function createOtherAccounts(service: TestService): Promise<number[]> {
  const { store } = service.server;
  const online: number[] = [];
  for (const [email, amount, plan] of [
    ['it@greenfield-school.example', 14, { computers: 40, invitations: 20 }],
    ['hello@pixel-repair.example', 5, { computers: 5, invitations: 100, recordingMb: 2_000 }],
    ['office@oakwood-care.example', 9, {}],
  ] as const) {
    const account = await service.account(email);
    for (let number = 0; number < amount; number += 1) {
      const { id } = await account.agent({ name: `pc-${number}` });
      if (number % 3 !== 0) online.push(id);
    }
    await must(store, 'plan/set', { accountId: account.id, plan });
    service.advance(day);
  }
  return online;
}
