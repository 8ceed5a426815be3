/** A simulated device: the real protocol with a machine that does not exist, and state in memory only. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientOptions } from 'ws';
import { nextTry } from '../uplink/back-off.ts';
import { connectOnce, type ConnectOptions, type UplinkOutcome } from '../uplink/connection.ts';
import { createDeviceKey } from '../uplink/keys.ts';
import type { Semaphore } from './semaphore.ts';
import { simulateMachine, type SimulatedMachine } from './machine.ts';
import type { Script } from './scripts.ts';
import { createSimulatedUpdates, type SimulatedUpdates } from './update.ts';

export interface SimulatedDeviceOptions {
  number: number;
  server: string;
  token: string;
  certificate: string;
  socketOptions: ClientOptions;
  script: Script;
  /** Held while the device connects. */
  semaphore: Semaphore;
  random(): number;
  signal: AbortSignal;
  onChange(change: 'online' | 'offline' | 'refused'): void;
}

/** Runs until it is stopped or refused. */
export async function simulateDevice(device: SimulatedDeviceOptions): Promise<void> {
  const { server, token, certificate, socketOptions, script, random, signal, onChange } = device;
  const machine = distortMachine(simulateMachine(device.number), script.distort);
  const updates = createSimulatedUpdates(machine.facts, random);
  const credentials = { ...createDeviceKey(), epoch: '', token, serverKey: '', certificate };
  let session: UplinkOutcome['session'];
  for (let failures = 0; !signal.aborted;) {
    let stop: (() => void) | undefined;
    const release = await device.semaphore.acquire();
    const outcome: UplinkOutcome = await connectOnce({
      server,
      credentials,
      ...machine,
      signal,
      session,
      socketOptions,
      onWelcome(welcome, serverKey) {
        release();
        Object.assign(credentials, { epoch: welcome.epoch, serverKey, token: '' });
        onChange('online');
      },
      onReady(uplink) {
        uplink.sendHardware(machine.hardware);
        updates.connected(uplink);
        stop = script.act(uplink, random);
      },
      onCommand: answerWith(updates),
    });
    release();
    stop?.();
    if (outcome.welcomed) onChange('offline');
    if (outcome.refused) return onChange('refused');
    session = outcome.session;
    failures = outcome.welcomed ? 0 : failures + 1;
    const wait = nextTry(outcome.move?.after_seconds, failures, random());
    await pause(wait, undefined, { signal }).catch(() => {});
  }
}

const answerWith =
  (updates: SimulatedUpdates): ConnectOptions['onCommand'] =>
  async (name, input) => {
    if (name === 'self_update') updates.begin(input);
    return name === 'software' ? { done: { programs: [] } } : { done: {} };
  };

function distortMachine(machine: SimulatedMachine, distort: Script['distort']): SimulatedMachine {
  if (!distort) return machine;
  const { facts, hardware } = machine;
  return {
    ...machine,
    facts: { ...facts, name: distort.facts(facts.name), os_user: distort.facts(facts.os_user) },
    hardware: {
      ...hardware,
      CPU: distort.hardware(hardware.CPU),
      OSName: distort.hardware(hardware.OSName),
    },
  };
}
