/** The short facts of a Windows machine. */
import { hostname, userInfo } from 'node:os';
import type { Facts, Fingerprint } from '@drawbridge/contract/uplink/facts';
import { addressesOf } from '../../inventory/addresses.ts';
import { openRegistry } from '../api/registry.ts';
import { loadWindowsApi, type WindowsApi } from '../api/windows-api.ts';
import { readWideText } from '../api/wide-text.ts';
import { firmwareOf } from './firmware.ts';
import { listInterfaces } from './interfaces.ts';

export async function readFacts(): Promise<Omit<Facts, 'version' | 'installed'>> {
  const api = await loadWindowsApi();
  return {
    name: hostname(),
    os: 'win',
    os_user: consoleUser(api) || userInfo().username,
    rdp: allowsRdp(api),
    hibernate: canSleep(api),
    power_supply: onMains(api),
    addresses: addressesOf(),
  };
}

export async function readFingerprint(): Promise<Fingerprint> {
  const api = await loadWindowsApi();
  const cryptography = { root: 'machine', path: 'SOFTWARE\\Microsoft\\Cryptography' } as const;
  const macs = listInterfaces(api).flatMap(({ isHardware, mac }) => (isHardware && mac !== '' ? [mac] : []));
  return {
    machine_id: openRegistry(api).text(cryptography, 'MachineGuid'),
    serial: firmwareOf(api).serial,
    macs: [...new Set(macs)].slice(0, 32),
  };
}

const currentServer = 0;
const userName = 5;

/** The user who is signed in at the machine itself; empty if nobody is. */
function consoleUser(api: WindowsApi): string {
  const [address, length] = [Buffer.alloc(8), Buffer.alloc(4)];
  const session = api.WTSGetActiveConsoleSessionId();
  if (!api.WTSQuerySessionInformationW(currentServer, session, userName, address, length)) return '';
  const at = address.readBigUInt64LE();
  const name = readWideText(Buffer.from(api.memory(at, length.readUInt32LE())));
  api.WTSFreeMemory(at);
  return name;
}

const terminalServer = {
  root: 'machine',
  path: 'SYSTEM\\CurrentControlSet\\Control\\Terminal Server',
} as const;

const allowsRdp = (api: WindowsApi): boolean =>
  openRegistry(api).number(terminalServer, 'fDenyTSConnections') === 0;

/** Offsets in SYSTEM_POWER_CAPABILITIES: the sleep states S1 to S4, the hibernation file, and modern standby. */
const power = {
  bytes: 128,
  sleepStates: [3, 4, 5],
  hibernate: 6,
  hibernationFile: 8,
  modernStandby: 20,
} as const;

function canSleep(api: WindowsApi): boolean {
  const capabilities = Buffer.alloc(power.bytes);
  if (!api.GetPwrCapabilities(capabilities)) return false;
  const has = (offset: number): boolean => capabilities[offset] !== 0;
  return (
    power.sleepStates.some(has) ||
    has(power.modernStandby) ||
    (has(power.hibernate) && has(power.hibernationFile))
  );
}

const onBattery = 0;

/** True unless Windows says that the machine runs on its battery. */
function onMains(api: WindowsApi): boolean {
  const status = Buffer.alloc(12);
  return !api.GetSystemPowerStatus(status) || status[0] !== onBattery;
}
