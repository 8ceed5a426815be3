/** An account in which no optional value is absent, so that every field of every reply is covered. */
import { emptyHardware } from '@drawbridge/contract/empty-hardware';
import type { Hardware } from '@drawbridge/contract/hardware';
import { must, type TestAccount } from '../kit/server/account.ts';
import type { TestService } from '../kit/server/service.ts';
import { arrival } from '../suites/store/fixture.ts';
import { callOperation } from './call-operation.ts';
import type { DatabaseProbe } from './database-probe.ts';
import { insertInvitation, createResources } from './resources.ts';
import { type AccountResources } from './account-resources.ts';
import { waitingSession } from './waiting-session.ts';

const geo = { ip: '198.51.100.7', country: 'NL', region: 'Utrecht', city: 'Zeist' };
const adapter = { Addresses: '10.0.0.2', Cable: true, DCHP: '', DNS: '', MACAddress: '02:00:00:00:00:09' };

const hardware: Hardware = {
  ...emptyHardware,
  ComputerIP: ['10.0.0.2'],
  HDD: [{ Model: 'disk', Size: 1 }],
  LogicalDisks: [{ Disk: '/', FileSystem: 'ext4', FreeSpace: 1, Name: 'root', Size: 2 }],
  Monitors: [{ Name: 'left', ScreenHeight: 1080, ScreenWidth: 1920 }],
  NetAdapters: [{ ...adapter, Manufacturer: '', Name: 'eth0', Speed: 1000, WoL: true }],
  RAMBanks: [
    {
      Bank: '0',
      Capacity: 1,
      DataWidth: 64,
      Locator: '',
      Manufacturer: '',
      PartNumber: '',
      SerialNumber: '',
    },
  ],
  SoundDevices: [{ Name: 'speaker' }],
  VideoCards: [{ Integrated: true, Name: 'card', RAM: 1 }],
};

/**
 * Resources whose device has a link, a past connection and complete hardware, and whose members hold a role
 * of every scope.
 */
export async function createFullResources(
  service: TestService,
  account: TestAccount,
  probe: DatabaseProbe,
): Promise<AccountResources> {
  const resources = createResources(service, account);
  const { store } = service.server;
  const accountId = account.id;
  const { id } = await account.agent({
    hardware: JSON.stringify(hardware),
    geo,
    groupId: await resources.group(),
  });
  const permanent = { enable: true, url: `path-${id}-${accountId}`, password: 'hash' };
  await must(store, 'agents/update', { accountId, by: account.owner.id, id, permanent });
  const invitation = await insertInvitation(service, account, account.owner);
  await startSessions(service, account, [
    { agentId: id, invitationId: null },
    { agentId: null, invitationId: invitation.id },
  ]);
  await probe.run(`update session set video_secret = 'v', video_size = 1 where account_id = ${accountId}`);
  await grantEverything(service, resources, id);
  await fillDevices(service, account, await resources.group());
  const plug = await service.plugIn(id, {
    done: { programs: [program], waiting: [waitingSession], approver: 'kim@example.com' },
  });
  const attached = { agent_id: id, name: 'manual.pdf', type: 'application/pdf', note: 'how it works' };
  await callOperation(service.testClient, 'agents/files/add', attached, account.owner);
  return {
    ...resources,
    agent: async () => ({ id, deviceId: 0, plug }),
    invitation: async () => invitation.id,
  };
}

/** One running session and one past session with a note for each target. */
async function startSessions(
  { server: { store } }: TestService,
  { id: accountId, owner }: TestAccount,
  targets: readonly { agentId: number | null; invitationId: number | null }[],
): Promise<void> {
  for (const target of targets) {
    const by = { memberId: owner.id, login: 'x', userAgent: 'Browser', geo };
    const session = { accountId, ...target, start: store.now(), ...by };
    await must(store, 'sessions/start', session);
    const { id } = await must(store, 'sessions/start', session);
    await must(store, 'sessions/stop', { accountId, id, bytes: 1 });
    await must(store, 'sessions/note', { accountId, id, note: 'fixed' });
  }
}

const program = { name: 'bash', version: '5.2', publisher: 'GNU', install_date: '2026-01-02' };

/**
 * A token, a machine that was installed twice, one of the two waiting for approval, and a key that was
 * copied.
 */
async function fillDevices({ server: { store } }: TestService, account: TestAccount, groupId: number) {
  const accountId = account.id;
  const token = { digest: `full-${accountId}`, groupId, uses: 3, expireTime: store.now() + 600 };
  await must(store, 'enroll/create', { accountId, memberId: account.owner.id, ...token });
  const fingerprint = { machine_id: `machine-${accountId}`, serial: 'S-1', macs: ['02:00:00:00:00:09'] };
  await account.agent({ fingerprint, geo, approved: false });
  const { id } = await account.agent({ fingerprint });
  for (const [presented, epoch] of [
    ['', 'one'],
    ['never given', 'two'],
  ] as const)
    await must(store, 'devices/arrive', {
      accountId,
      id,
      presented,
      epoch,
      uplinkVersion: 3,
      ...arrival,
      fingerprint,
    });
}

/** A role on the device, one on the group and one without scope, to the colleague and to the colleague's department. */
async function grantEverything(
  service: TestService,
  resources: AccountResources,
  agentId: number,
): Promise<void> {
  const { account } = resources;
  const [colleague, departmentId, groupId] = [
    await resources.colleague(),
    await resources.department(),
    await resources.group(),
  ];
  const { store } = service.server;
  const member = { accountId: account.id, by: account.owner.id, id: departmentId, email: colleague.email };
  await must(store, 'departments/member-add', member);
  const scopes = [{ type: 'agent', agentId }, { type: 'group', groupId }, { type: 'quick_support' }] as const;
  for (const { type, ...scope } of scopes) {
    const { roleId } = await account.grant(colleague, { type, permissions: ['agent_chat'], ...scope });
    const by = { accountId: account.id, by: account.owner.id };
    await must(store, 'access/add', { ...by, holder: { departmentId }, roleId, ...scope });
  }
}
