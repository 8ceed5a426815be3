/** The last two weeks of a fictional firm: its sessions, and other actions in the account. */
import type { OperationId } from '@drawbridge/contract/v1/index';
import type { Geo } from '@drawbridge/server/domain/devices/agents';
import { must, type TestAccount } from '../../../tests/kit/server/account.ts';
import type { TestService } from '../../../tests/kit/server/service.ts';
import { setPassword, openPanelClient, openSignedInPanel } from '../../../tests/kit/server/panel.ts';
import { recordSession } from '../../../tests/kit/server/recording.ts';
import { ben, clara, david, elif, owner } from './people.ts';

type Ids = Record<string, number>;
export interface FirmContext {
  service: TestService;
  account: TestAccount;
  devices: Ids;
  members: Ids;
}

const minute = 60;
const day = 86_400;

export const firmPassword = 'correct horse 7';
export const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36';
export const office: Geo = { ip: '203.0.113.24', country: 'CH', region: 'Bern', city: 'Bern' };

/** Advances the clock to that time. */
export const advanceTo = ({ server, advance }: TestService, moment: number): void =>
  advance(moment - server.store.now());

/** Sessions that repeat: who connected to which device. People connect only where they have permission. */
const visits: readonly [who: string, device: string][] = [
  [ben, 'Front desk left'],
  [david, 'Drawing office 1'],
  [clara, 'Lending desk'],
  [owner, 'mail-01'],
  [elif, 'Reception 1'],
  [ben, 'Restaurant till'],
  [elif, 'Front desk left'],
  [clara, ''],
  [david, 'CNC saw'],
  [owner, 'backup-01'],
  [ben, 'Catalogue 1'],
  [clara, 'Front desk left'],
  [ben, ''],
  [elif, 'X-ray workstation'],
];

const notes: Record<number, string> = {
  3: 'Queue was stuck on a letter without an address. Removed it.',
  17: 'Printer has a new address, drivers set up again.',
  24: 'Restored last night’s backup of the guest list.',
  40: 'Card terminal needs a new cable: ordered.',
  52: 'Update installed, restart tonight.',
  56: 'Showed how to book a group.',
  59: 'Scanner works again; the lid switch is loose.',
};
const recorded = new Set([56, 59]);
const count = 60;
/** Sessions on each working day. */
const perDay = 6;
const workingDays = [26, 27, 28, 31, 32, 33, 34, 35, 38, 39];

async function connect({ service, account, devices, members }: FirmContext, number: number): Promise<void> {
  const { store } = service.server;
  const accountId = account.id;
  const [login, device] = visits[number % visits.length]!;
  const invitationId = device === '' ? await pastInvitation(service, account, number) : null;
  const agentId = device === '' ? null : devices[device]!;
  const made = { invitationId, login, userAgent, geo: office, start: store.now() };
  const target = { accountId, memberId: members[login]!, agentId };
  const { id } = await must(store, 'sessions/start', { ...target, ...made });
  if (recorded.has(number)) await recordSession(store, { accountId, sessionId: id }, { size: 18_400_000 });
  service.advance((3 + ((number * 13) % 47)) * minute + ((number * 17) % 60));
  await must(store, 'sessions/stop', { accountId, id, bytes: 4_000_000 + number * 700_000 });
  const note = notes[number];
  if (note !== undefined) await must(store, 'sessions/note', { accountId, id, note });
}

async function pastInvitation(
  service: TestService,
  { id: accountId, owner: { id } }: TestAccount,
  number: number,
) {
  const { store } = service.server;
  const clientName = ['Mrs Brandt', 'Mr Miller', 'Dr Moor', 'Library, Ines'][number % 4]!;
  const codes = [String(400_000_000 + number * 1_234_567)];
  const input = { accountId, memberId: id, clientName, codes, connectToken: `past-${number}` };
  const made = await must(store, 'invitations/create', input);
  await must(store, 'invitations/happen', { accountId, id: made.id, event: 'close', lifetime: day });
  return made.id;
}

export async function createPastSessions(firm: FirmContext, opened: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const slot = number % perDay;
    const morning = opened + workingDays[Math.floor(number / perDay)]! * day - 60 * minute;
    advanceTo(firm.service, morning + (slot * 85 + ((number * 7) % 20)) * minute);
    await connect(firm, number);
  }
}

type AuditedAction = [who: string, operation: OperationId, params: Record<string, unknown>];

/** This morning's entries in the audit log. */
const auditedActions = ({ devices }: FirmContext, groups: Ids, roles: Ids): readonly AuditedAction[] => [
  [owner, 'account/update', { approve_devices: true }],
  [clara, 'keys/create', { name: 'Till reports' }],
  [ben, 'agents/update', { id: devices['Front desk left'], name: 'Front desk left' }],
  [owner, 'agents/notes/update', { agent_id: devices['Front desk left'], notes: mainNotes }],
  [david, 'groups/create', { name: 'Loan devices' }],
  [
    owner,
    'team/role/edit',
    { id: roles['Night watch'], description: 'Look, wake and restart, for the person on night duty.' },
  ],
  [owner, 'groups/settings/update', { id: groups['Moor Dental'], confirm: 'ask' }],
  [elif, 'agents/reboot', { id: devices['Warehouse'] }],
  [ben, 'support/create', { client_name: '' }],
  [owner, 'branding/update', { name: 'Brightwater IT', accent: '#0f766e' }],
];

const mainNotes =
  'Stands at the left of the desk, behind the flowers.\nPrinter: LaserJet in the back office, second tray for invoices.\nDo not restart between 14:00 and 18:00: guests arrive.';

/** Signs in with a wrong password first, then with the right one. */
async function signInTwice(service: TestService, email: string): Promise<void> {
  for (const tried of ['correct hrose 7', firmPassword])
    await openPanelClient(service).ask('sign-in/password', { email, password: tried });
}

export async function createAuditEntries(firm: FirmContext, groups: Ids, roles: Ids): Promise<void> {
  const { service, account, members } = firm;
  await setPassword(service, account, account.owner, firmPassword);
  await setPassword(service, account, { id: members[ben]! }, firmPassword);
  for (const [who, operation, params] of auditedActions(firm, groups, roles)) {
    service.advance(7 * minute + 11);
    if (operation === 'agents/update') await signInTwice(service, who);
    const panelClient = await openSignedInPanel(service, account, { id: members[who]! });
    await panelClient.v1(operation, params);
  }
}
