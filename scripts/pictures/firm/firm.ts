/** Seeds a fictional account of a small IT service after six weeks, always with the same names and times. */
import { addFirmDirectory } from './directory.ts';
import { addFirmProvider, addFirmToken, addFirmWebhooks } from './identity.ts';
import { askForAccess } from './requests.ts';
import { must, type TestAccount } from '../../../tests/kit/server/account.ts';
import type { Browser } from '../../../tests/kit/browser/browser.ts';
import type { TestService } from '../../../tests/kit/server/service.ts';
import {
  firmDevices,
  favourites,
  firmGroups,
  mainDevice,
  newDevice,
  duplicateDevice,
  duplicatedName,
  type FirmDevice,
  type ScreenContent,
} from './devices.ts';
import { ipAddressOf, firmHardware, macOf, firmSoftware } from './machines.ts';
import { createAuditEntries, createPastSessions, office, advanceTo, type FirmContext } from './past.ts';
import { ben, inviteFelix, owner, createStaff, type Staff } from './people.ts';
import { renderLogo, renderScreens } from './screens.ts';
import { notifyOfOutage, subscribeOwner } from './notifications.ts';
import { createOtherAccounts, inviteClients, createFirmKeys, startFirmSession } from './today.ts';

type Ids = Record<string, number>;

export interface Firm {
  account: TestAccount;
  /** Values of the named parts of paths, keyed by the preceding word and the name. */
  parts: Record<string, string>;
}

const day = 86_400;
const hour = 3_600;
const sites = {
  'Hotel Lakeside': { ip: '198.51.100.14', country: 'CH', region: 'Bern', city: 'Thun' },
  'Moor Dental': { ip: '198.51.100.77', country: 'CH', region: 'Bern', city: 'Bern' },
  'Miller Joinery': { ip: '203.0.113.140', country: 'CH', region: 'Fribourg', city: 'Murten' },
  'Town Library': { ip: '203.0.113.201', country: 'CH', region: 'Bern', city: 'Thun' },
  'Our servers': office,
};

interface FirmSetup {
  service: TestService;
  account: TestAccount;
  groups: Ids;
}

async function add(
  { account, groups: known }: FirmSetup,
  device: FirmDevice,
  number: number,
): Promise<number> {
  const { name, group, os, user } = device;
  const hardwareNumber =
    device === duplicateDevice ? firmDevices.findIndex((each) => each.name === duplicatedName) : number;
  const { id } = await account.agent({
    name,
    groupId: known[group]!,
    os,
    osUser: user,
    deviceIds: [613_804_271 + number * 2_718_281],
    version: '0.1.0',
    geo: sites[group],
    addresses: [ipAddressOf(number)],
    rdp: os === 'win',
    hibernate: group !== 'Our servers',
    powerSupply: true,
    installed: true,
    approved: device !== newDevice,
    hardware: JSON.stringify(firmHardware(device, number)),
    fingerprint: {
      machine_id: `machine-${number}`,
      serial: `PF4K${hardwareNumber}`,
      macs: [macOf(hardwareNumber)],
    },
  });
  return id;
}

async function addAll(setup: FirmSetup): Promise<Ids> {
  const found: Ids = {};
  for (const [number, device] of firmDevices.entries()) {
    found[device.name] = await add(setup, device, number);
    setup.service.advance(5 * hour + 1_200);
  }
  return found;
}

/** Devices that are offline were online until some days ago. */
async function takeSomeOffline(service: TestService, ids: Ids, now: number): Promise<void> {
  const away = firmDevices.filter((each) => each.away !== undefined).toSorted((a, b) => b.away! - a.away!);
  for (const { name, away: days } of away) {
    advanceTo(service, now - days! * day + 6 * hour - ids[name]! * 400);
    (await service.plugIn(ids[name]!)).unplug();
  }
}

async function connectAll(
  service: TestService,
  ids: Ids,
  screens: Record<ScreenContent, string>,
): Promise<void> {
  for (const { name, shows } of [...firmDevices, duplicateDevice, newDevice])
    if (shows) await service.plugIn(ids[name]!, { done: { type: 'image/jpeg', picture: screens[shows] } });
}

async function fillMainDevice({ service, account, devices: ids }: FirmContext): Promise<void> {
  const accountId = account.id;
  const agentId = ids[mainDevice]!;
  const { store } = service.server;
  await must(store, 'devices/software', { accountId, id: agentId, software: JSON.stringify(firmSoftware) });
  for (const [name, note, size] of [
    ['Guest register, manual.pdf', 'the chapter on groups is on page 41', 1_840_000],
    ['Desk from behind.jpg', 'which cable goes where', 312_000],
    ['Till licence 2027.txt', '', 1_204],
  ] as const)
    await account.owner.call('agents/files/add', { agent_id: agentId, name, note }, Buffer.alloc(size));
  for (const name of favourites)
    await account.owner.call('agents/favorite', { id: ids[name]!, favorite: true });
  const link = { enable: true, url: 'lakeside-desk', password: 'guest2027' };
  await account.owner.call('agents/update', { id: agentId, permanent_url: link });
}

const plan = { computers: 30, invitations: 60, files: 200, requests: 1_000, recordingMb: 5_000 };

async function openFirmAccount(service: TestService): Promise<FirmSetup> {
  const account = await service.account(owner);
  await must(service.server.store, 'operators/add', {
    member: { accountId: account.id, id: account.owner.id },
  });
  const known: Ids = {};
  for (const name of firmGroups) known[name] = await account.group(name);
  return { service, account, groups: known };
}

/** Objects that were created some time ago and still exist. */
async function addBranding(firm: FirmContext, setup: FirmSetup, browser: Browser): Promise<void> {
  const { service, account } = firm;
  await account.owner.call('branding/logo', {}, await renderLogo(browser));
  await fillMainDevice(firm);
  const input = { uses: 10, expires: service.server.store.now() + 6 * day };
  await account.owner.call('agents/enroll/create', { group_id: setup.groups['Town Library'], ...input });
  const window = { window_start: 22, window_end: 5 };
  const groups = [setup.groups['Town Library']];
  await account.owner.call('agents/updates/settings/update', { enabled: true, ...window, groups });
}

/** The current state: devices that are online or wait for approval, and a running session. */
async function createPresent(
  firm: FirmContext,
  setup: FirmSetup,
  screens: Record<ScreenContent, string>,
): Promise<void> {
  const { service, account, devices: ids } = firm;
  ids[newDevice.name] = await add(setup, newDevice, firmDevices.length);
  ids[duplicateDevice.name] = await add(setup, duplicateDevice, firmDevices.length + 1);
  await inviteClients(firm, screens);
  await connectAll(service, ids, screens);
  const desk = { who: firm.members[ben]!, login: ben, agentId: ids[mainDevice]!, invitationId: null };
  await startFirmSession(service, account, desk);
}

export async function createFirm(service: TestService, browser: Browser): Promise<Firm> {
  const { store } = service.server;
  const opened = store.now();
  const setup = await openFirmAccount(service);
  const { account } = setup;
  const ids = await addAll(setup);
  const staff: Staff = await createStaff(service, account, { groups: setup.groups, devices: ids });
  const firm: FirmContext = { service, account, devices: ids, members: staff.members };
  const now = opened + 40 * day + hour;
  const neighbours = await createOtherAccounts(service);
  await createFirmKeys(firm, now);
  await takeSomeOffline(service, ids, now);
  await createPastSessions(firm, opened);
  await Promise.all([addFirmToken(firm, now), addFirmWebhooks(firm)]);
  await must(store, 'plan/set', { accountId: account.id, plan });
  await addBranding(firm, setup, browser);
  await subscribeOwner(firm, setup.groups);
  await notifyOfOutage(firm, now);
  advanceTo(service, now);
  await inviteFelix(service, account);
  await createAuditEntries(firm, setup.groups, staff.roles);
  await askForAccess(firm, setup.groups, staff.roles);
  await createPresent(firm, setup, await renderScreens(browser));
  await service.server.notifier.run();
  for (const id of neighbours) await service.plugIn(id);
  // The clock stands still from here on: the next import, which would fail, is never due.
  const directoryId = await addFirmDirectory(service, account);
  return {
    account,
    parts: {
      'devices:id': String(ids[mainDevice]),
      'people:email': ben,
      'people:id': String(staff.members[ben]),
      'departments:id': String(staff.departments['Service desk']),
      'directories:id': String(directoryId),
      'roles:id': String(staff.roles['Help desk']),
      'providers:id': String(await addFirmProvider(firm, staff)),
    },
  };
}
