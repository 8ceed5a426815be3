/** A made-up account, as that of a small IT service after six weeks: seeded anew each time, with the same names and times. */
import { must, type TestAccount } from '../../../tests/kit/account.ts';
import type { Browser } from '../../../tests/kit/browser.ts';
import type { TestService } from '../../../tests/kit/service.ts';
import {
  devices,
  favourites,
  groups,
  main,
  newcomer,
  twin,
  twinOf,
  type FirmDevice,
  type Shows,
} from './devices.ts';
import { addressOf, hardwareOf, macOf, software } from './machines.ts';
import { doTheMorningsWork, letTwoWeeksPass, office, waitUntil, type Place } from './past.ts';
import { ben, inviteFelix, owner, staffFirm, type Staff } from './people.ts';
import { takeLogo, takeScreens } from './screens.ts';
import { addNeighbours, inviteClients, makeKeys, startSession } from './today.ts';

type Ids = Record<string, number>;

export interface Firm {
  account: TestAccount;
  /** What stands in the named parts of addresses, by the word before. */
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

interface Adding {
  service: TestService;
  account: TestAccount;
  groups: Ids;
}

async function add({ account, groups: known }: Adding, device: FirmDevice, number: number): Promise<number> {
  const { name, group, os, user } = device;
  const twinNumber = device === twin ? devices.findIndex((each) => each.name === twinOf) : number;
  const { id } = await account.agent({
    name,
    groupId: known[group]!,
    os,
    osUser: user,
    deviceIds: [613_804_271 + number * 2_718_281],
    version: '0.1.0',
    geo: sites[group],
    addresses: [addressOf(number)],
    rdp: os === 'win',
    hibernate: group !== 'Our servers',
    powerSupply: true,
    installed: true,
    approved: device !== newcomer,
    hardware: JSON.stringify(hardwareOf(device, number)),
    fingerprint: { machine_id: `machine-${number}`, serial: `PF4K${twinNumber}`, macs: [macOf(twinNumber)] },
  });
  return id;
}

async function addAll(adding: Adding): Promise<Ids> {
  const found: Ids = {};
  for (const [number, device] of devices.entries()) {
    found[device.name] = await add(adding, device, number);
    adding.service.advance(5 * hour + 1_200);
  }
  return found;
}

/** Those that are away were there until some days ago. */
async function letSomeGo(service: TestService, ids: Ids, now: number): Promise<void> {
  const away = devices.filter((each) => each.away !== undefined).toSorted((a, b) => b.away! - a.away!);
  for (const { name, away: days } of away) {
    waitUntil(service, now - days! * day + 6 * hour - ids[name]! * 400);
    (await service.plugIn(ids[name]!)).unplug();
  }
}

async function plugAllIn(service: TestService, ids: Ids, screens: Record<Shows, string>): Promise<void> {
  for (const { name, shows } of [...devices, twin, newcomer])
    if (shows) await service.plugIn(ids[name]!, { done: { type: 'image/jpeg', picture: screens[shows] } });
}

async function furnishMain({ service, account, devices: ids }: Place): Promise<void> {
  const accountId = account.id;
  const agentId = ids[main]!;
  const { store } = service.server;
  await must(store, 'devices/software', { accountId, id: agentId, software: JSON.stringify(software) });
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

async function open(service: TestService): Promise<Adding> {
  const account = await service.account(owner);
  await must(service.server.store, 'operators/add', {
    member: { accountId: account.id, id: account.owner.id },
  });
  const known: Ids = {};
  for (const name of groups) known[name] = await account.group(name);
  return { service, account, groups: known };
}

/** What was made some time ago and is still there. */
async function furnish(place: Place, adding: Adding, browser: Browser): Promise<void> {
  const { service, account } = place;
  await account.owner.call('branding/logo', {}, await takeLogo(browser));
  await furnishMain(place);
  const wish = { uses: 10, expires: service.server.store.now() + 6 * day };
  await account.owner.call('agents/enroll/create', { group_id: adding.groups['Town Library'], ...wish });
}

/** What is true now: who is there, who waits, and what was made lately. */
async function bringToNow(place: Place, adding: Adding, screens: Record<Shows, string>): Promise<void> {
  const { service, account, devices: ids } = place;
  ids[newcomer.name] = await add(adding, newcomer, devices.length);
  ids[twin.name] = await add(adding, twin, devices.length + 1);
  await inviteClients(place, screens);
  await plugAllIn(service, ids, screens);
  const desk = { who: place.members[ben]!, login: ben, agentId: ids[main]!, invitationId: null };
  await startSession(service, account, desk);
}

export async function foundFirm(service: TestService, browser: Browser): Promise<Firm> {
  const { store } = service.server;
  const opened = store.now();
  const adding = await open(service);
  const { account } = adding;
  const ids = await addAll(adding);
  const staff: Staff = await staffFirm(service, account, { groups: adding.groups, devices: ids });
  const place: Place = { service, account, devices: ids, members: staff.members };
  const now = opened + 40 * day + hour;
  const neighbours = await addNeighbours(service);
  await makeKeys(place, now);
  await letSomeGo(service, ids, now);
  await letTwoWeeksPass(place, opened);
  await must(store, 'plan/set', { accountId: account.id, plan });
  await furnish(place, adding, browser);
  waitUntil(service, now);
  await inviteFelix(service, account);
  await doTheMorningsWork(place, adding.groups, staff.roles);
  await bringToNow(place, adding, await takeScreens(browser));
  for (const id of neighbours) await service.plugIn(id);
  return {
    account,
    parts: {
      'devices:id': String(ids[main]),
      'people:email': ben,
      'people:id': String(staff.members[ben]),
      'departments:id': String(staff.departments['Service desk']),
      'roles:id': String(staff.roles['Help desk']),
    },
  };
}
