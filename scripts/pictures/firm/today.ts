/** What is going on in a made-up firm today: clients that were invited, sessions that run, keys, and its neighbours on the server. */
import { random, digestOf } from '@drawbridge/server/edges/random';
import { clientSubject, previewSubject } from '@drawbridge/server/gateway/lobby/lobby-subjects';
import { must, type TestAccount } from '../../../tests/kit/server/account.ts';
import type { TestService } from '../../../tests/kit/server/service.ts';
import type { ScreenContent } from './devices.ts';
import { office, userAgent, type FirmContext } from './past.ts';
import { ben, clara, owner } from './people.ts';

const day = 86_400;
const hour = 3_600;

/** One of each kind: two wait, one client is here, one is being helped. */
export async function inviteClients(
  { service, account, members }: FirmContext,
  screens: Record<ScreenContent, string>,
): Promise<void> {
  const { store, bus } = service.server;
  const accountId = account.id;
  const make = async (who: string, clientName: string, code: string) => {
    const input = {
      accountId,
      memberId: members[who]!,
      clientName,
      codes: [code],
      connectToken: random.token(),
    };
    const made = await must(store, 'invitations/create', input);
    service.advance(540);
    return made;
  };
  const come = async (code: string, os: 'win' | 'mac' | 'linux', shows: ScreenContent): Promise<number> => {
    const seen = { preview: random.token(), until: store.now() + day, lifetime: 7 * day };
    const { invitation } = await must(store, 'invitations/join', { code, key: 'k'.repeat(43), os, ...seen });
    bus.answer(previewSubject(invitation.id), async () => ({ type: 'image/jpeg', picture: screens[shows] }));
    bus.answer(clientSubject(invitation.id), async () => true);
    return invitation.id;
  };
  await make(owner, 'Mrs Brandt', '237814665');
  await make(ben, 'Mr Miller', '904417352');
  await make(clara, 'Dr Moor', '551208934');
  await make(owner, 'Library, Ines', '716330948');
  const helped = await come('551208934', 'mac', 'letter');
  await must(store, 'invitations/happen', {
    accountId,
    id: helped,
    event: 'operator_joins',
    lifetime: 7 * day,
  });
  await come('904417352', 'win', 'sheet');
  await startFirmSession(service, account, {
    who: members[clara]!,
    login: clara,
    invitationId: helped,
    agentId: null,
  });
}

interface FirmSession {
  who: number;
  login: string;
  agentId: number | null;
  invitationId: number | null;
}

/** A connection that goes on. */
export async function startFirmSession(
  { server: { store } }: TestService,
  { id: accountId }: TestAccount,
  it: FirmSession,
): Promise<void> {
  const { who, ...rest } = it;
  const from = { userAgent, geo: office, start: store.now() - 380 };
  const { id } = await must(store, 'sessions/start', { accountId, memberId: who, ...rest, ...from });
  await must(store, 'sessions/alive', { ids: [id] });
}

/** Some weeks before, as seen from today. */
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

/** Other accounts of the same server, of which this one knows nothing; tells which of their devices are online. */
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
