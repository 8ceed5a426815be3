/** A simulated device that takes part in sessions: the agent's own uplink and session code, with a machine that does not exist. */
import { setTimeout as wait } from 'node:timers/promises';
import { defaultPolicy } from '@drawbridge/contract/policy';
import type { CommandInput } from '@drawbridge/contract/uplink/commands';
import { parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import { createAgentSessions } from '@drawbridge/agent/session/agent-sessions';
import { simulateMachine } from '@drawbridge/agent/simulate/machine';
import { connectOnce } from '@drawbridge/agent/uplink/connection';
import { createDeviceKey } from '@drawbridge/agent/uplink/keys';
import { createFakePlatform } from '../../tests/kit/agent/fake-platform.ts';

/** Resolves when the device is online; the result takes it offline. */
export async function startSimulatedDevice(server: string, token: string): Promise<() => Promise<void>> {
  const { secret, certificate } = parseEnrolmentToken(token)!;
  const credentials = { ...createDeviceKey(), epoch: '', token: secret, serverKey: '', certificate };
  const sessions = createAgentSessions({
    identity: () => credentials,
    certificates: () => [certificate],
    platform: createFakePlatform(),
    policy: () => defaultPolicy,
    features: [],
    now: () => Math.floor(Date.now() / 1_000),
    log: () => {},
  });
  const end = new AbortController();
  const online = Promise.withResolvers<void>();
  const connect = (): Promise<unknown> =>
    connectOnce({
      server,
      credentials,
      ...simulateMachine(1),
      signal: end.signal,
      onWelcome(welcome, serverKey) {
        Object.assign(credentials, { epoch: welcome.epoch, serverKey, token: '' });
        online.resolve();
      },
      async onCommand(name, input) {
        if (name === 'session') await sessions.open(input as CommandInput<'session'>);
        return { done: {} };
      },
    });
  const gone = repeatUntil(end.signal, connect);
  await Promise.race([online.promise, gone]);
  return async () => {
    await sessions.stop('');
    end.abort();
    await gone;
  };
}

/** A busy machine can lose a connection to missed heartbeats. */
async function repeatUntil(signal: AbortSignal, connect: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await connect();
    await wait(1_000);
  }
}
