/** A fake platform for tests of the agent: it has system facts and records what was done to it. */
import { emptyHardware } from '@drawbridge/contract/empty-hardware';
import { NotPossible, type Platform } from '@drawbridge/agent/platform/platform';

export interface FakePlatform extends Platform {
  /** What was done to the platform, in order. */
  done: string[];
}

export function createFakePlatform(name = 'made-up', some: Partial<Platform> = {}): FakePlatform {
  const done: string[] = [];
  const note = (what: string) => async (): Promise<void> => void done.push(what);
  return {
    done,
    facts: async () => ({
      name,
      os: 'linux',
      os_user: 'ann',
      rdp: false,
      hibernate: true,
      power_supply: true,
      addresses: ['10.1.2.3'],
    }),
    fingerprint: async () => ({
      machine_id: `machine-${name}`,
      serial: `serial-${name}`,
      macs: ['02:00:00:00:00:01'],
    }),
    hardware: async () => ({ ...emptyHardware, ComputerName: name, CPUCores: 4 }),
    software: async () => [{ name: 'bash', version: '5.2', publisher: 'GNU', install_date: '' }],
    reboot: async ({ safe }) => void done.push(safe ? 'reboot safe' : 'reboot'),
    lock: note('lock'),
    wake: async (macs) => void done.push(`wake ${macs.join()}`),
    preview: async () => ({ type: 'image/png', bytes: Buffer.from('picture') }),
    notify: async (message) => void done.push(`tell ${message}`),
    desktop: notSupported,
    preload: async () => {},
    recover: async () => {},
    files: notSupported,
    shell: notSupported,
    voice: notSupported,
    sound: notSupported,
    printer: notSupported,
    ...some,
  };
}

const notSupported = async (): Promise<never> => {
  throw new NotPossible('The made-up machine does not have that.');
};
