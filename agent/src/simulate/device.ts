/** One made-up device: the real protocol, with a machine that does not exist and a state that is not on disk. */
import { setTimeout as pause } from 'node:timers/promises';
import { backOff } from '../back-off.ts';
import { connectOnce, type Ending } from '../connection.ts';
import { createDeviceKey } from '../keys.ts';
import { machineOf, type Machine } from './machine.ts';
import type { Script } from './scripts.ts';

export interface DeviceOptions {
  number: number;
  server: string;
  token: string;
  certificate: string;
  script: Script;
  chance(): number;
  signal: AbortSignal;
  onChange(change: 'online' | 'offline' | 'refused'): void;
}

/** Lives until it is told to stop, or refused for good. */
export async function simulateDevice(options: DeviceOptions): Promise<void> {
  const { server, certificate, script, chance, signal, onChange } = options;
  const machine = distorted(machineOf(options.number), script.distort);
  const credentials = { ...createDeviceKey(), epoch: '', token: options.token, serverKey: '', certificate };
  for (let failures = 0; !signal.aborted;) {
    let stop: (() => void) | undefined;
    const ending: Ending = await connectOnce({
      server,
      credentials,
      ...machine,
      onWelcome(welcome, serverKey) {
        Object.assign(credentials, { epoch: welcome.epoch, serverKey, token: '' });
        onChange('online');
      },
      onReady(talk) {
        talk.hardware(machine.hardware);
        const ended = script.act(talk, chance);
        const end = (): void => talk.end();
        signal.addEventListener('abort', end, { once: true });
        stop = () => {
          ended();
          signal.removeEventListener('abort', end);
        };
      },
      onCommand: async (name) => (name === 'software' ? { done: { programs: [] } } : { done: {} }),
    });
    stop?.();
    if (ending.welcomed) onChange('offline');
    if (ending.refused) return onChange('refused');
    failures = ending.welcomed ? 0 : failures + 1;
    await pause(backOff(failures, chance()), undefined, { signal }).catch(() => {});
  }
}

function distorted(machine: Machine, distort: Script['distort']): Machine {
  if (!distort) return machine;
  const { facts, hardware } = machine;
  return {
    ...machine,
    facts: { ...facts, name: distort(facts.name), os_user: distort(facts.os_user) },
    hardware: { ...hardware, CPU: distort(hardware.CPU), OSName: distort(hardware.OSName) },
  };
}
