/** Runs on Windows: notices, packets that wake other machines, calls, and the policy about Ctrl+Alt+Del. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { spawnSync } from 'node:child_process';
import { voice as format } from '@drawbridge/contract/session/voice';
import type { Desktop } from '@drawbridge/agent/platform/desktop';
import type { Platform } from '@drawbridge/agent/platform/platform';
import { loadWindowsApi } from '@drawbridge/agent/platform/windows/api/windows-api';
import {
  openSecureAttention,
  restorePolicy,
} from '@drawbridge/agent/platform/windows/input/secure-attention';
import { eventually } from '../../../kit/eventually.ts';
import { click, untilEffect } from './answer-panes.ts';

const clickMs = 200;

/** The person confirms a notice long before it would close. */
export async function confirmNotice(platform: Platform, desktop: Desktop) {
  const { width, height } = await desktop.layout();
  const input = await desktop.input();
  const shownAt = performance.now();
  let isConfirmed = false;
  void platform.notify('The account has removed this device.').then(() => (isConfirmed = true));
  await untilEffect(
    (attempt) => click(input, width / 2 + 150, height / 2 - 60 + ((attempt * 8) % 120)),
    () => isConfirmed,
    clickMs,
  );
  input.close();
  return { isEarly: performance.now() - shownAt < 25_000 };
}

/** The packets come back to this machine, because they are broadcast. */
export async function wakeOther(platform: Platform) {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  socket.bind(9);
  await once(socket, 'listening');
  const packet = once(socket, 'message') as Promise<[Buffer]>;
  await platform.wake(['02:00:5e:10:20:30']);
  const [bytes] = await packet;
  socket.close();
  return { packet: bytes.toString('hex') };
}

/** What is played on the loudspeaker is what the microphone records. */
export async function callPerson(platform: Platform) {
  const voice = await platform.voice();
  const tone = new Int16Array(format.rate / 10);
  for (const index of tone.keys()) tone[index] = 12_000 * Math.sin((2 * Math.PI * 440 * index) / format.rate);
  const bytes = new Uint8Array(tone.buffer);
  let loudest = 0;
  voice.onData((samples) => {
    const recorded = new Int16Array(samples.buffer, samples.byteOffset, samples.length / 2);
    for (const sample of recorded) loudest = Math.max(loudest, Math.abs(sample));
  });
  const playing = setInterval(() => voice.play(bytes), 100);
  await eventually(
    () => loudest,
    (level) => level > 6_000,
  ).finally(() => clearInterval(playing));
  voice.close();
  return { isHeard: true };
}

const policy = 'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Policies\\System';
const valueName = 'SoftwareSASGeneration';

function policyValue(): string {
  const { stdout } = spawnSync('reg.exe', ['query', policy, '/v', valueName], { encoding: 'utf8' });
  return /0x\d+/.exec(stdout)?.[0] ?? 'none';
}

function setPolicy(value: string | undefined): void {
  const change = value === undefined ? ['delete'] : ['add'];
  const data = value === undefined ? [] : ['/t', 'REG_DWORD', '/d', value];
  spawnSync('reg.exe', [...change, policy, '/v', valueName, ...data, '/f']);
}

const noSecureAttention = Object.assign(() => undefined, { async: async () => undefined });

/** The values of the policy before, while the keys are pressed, after the session, and after an agent was killed. */
export async function pressSecureAttention() {
  // Wine has no `SendSAS`: its placeholder ends the program.
  const api = { ...(await loadWindowsApi()), SendSAS: noSecureAttention };
  const values: Record<string, string[]> = {};
  for (const former of [undefined, '2']) {
    setPolicy(former);
    const seen = [policyValue()];
    const first = openSecureAttention(api, true);
    first.send();
    seen.push(policyValue());
    first.close();
    seen.push(policyValue());
    // An agent that is killed restores nothing; the next one does.
    openSecureAttention(api, true).send();
    seen.push(policyValue());
    restorePolicy(api);
    seen.push(policyValue());
    values[former ?? 'none'] = seen;
  }
  return values;
}
