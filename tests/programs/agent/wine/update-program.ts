/** Runs on Windows: installs releases that are refused, and kills an installation after each of its steps. Prints what happened as JSON. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  installRelease,
  type InstallOptions,
  type InstallStep,
} from '@drawbridge/agent/update/install-release';
import { settleTrial, slotFile } from '@drawbridge/agent/update/slots';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import {
  damagedFiles,
  refusedReleases,
  type RefusedRelease,
} from '../../../devices/updates/refused-cases.ts';
import { createReleaseFolder, installTestProgram, type ReleaseFolder } from '../../../kit/agent/release.ts';

const steps: readonly InstallStep[] = [
  'verified',
  'downloaded',
  'installed',
  'tested',
  'idle',
  'on_trial',
  'switched',
];

/** Offers the files of the folder, as a server does at /download/. */
async function openServer(folder: string): Promise<string> {
  const tls = await createSelfSigned(['localhost'], new Date());
  const server = createServer(tls, (request, response) => {
    const file = readFileSync(join(folder, request.url!.replace('/download/', '')));
    const from = Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0);
    response.writeHead(from > 0 ? 206 : 200).end(file.subarray(from));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function refuse(release: ReleaseFolder, url: string, refused: RefusedRelease) {
  using device = installTestProgram(release.key.publicKey);
  refused.offer(release);
  const options = { ...device.options, ...refused.change, server: { url } };
  const message = await installRelease(options, refused.wanted).catch((error: Error) => error.message);
  return {
    isRefused: refused.reason.test(message) || message,
    started: device.start('--version'),
    isLeft: existsSync(slotFile(device.folder, 'b')),
  };
}

/** The process that is killed is another one, because the server must live. */
async function interrupt(release: ReleaseFolder, url: string, step: InstallStep) {
  using device = installTestProgram(release.key.publicKey);
  release.offer('1.1.0');
  const options = { ...device.options, server: { url } };
  const args = [process.argv[1]!, step, JSON.stringify(options)];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number];
  const started = device.start('--version');
  const found = settleTrial(device.folder).state;
  if (found !== 'running') await installRelease(options);
  return { code, started, found, finally: device.start('--version') };
}

async function endAfter(step: string, options: InstallOptions): Promise<void> {
  await installRelease({
    ...options,
    now: () => Math.floor(Date.now() / 1_000),
    freeBytes: async () => 1_000_000_000,
    untilIdle: async () => {},
    onStep: (each) => void (each === step && process.kill(process.pid, 'SIGKILL')),
  });
}

/** A version that always ends before it connects. */
async function undo(release: ReleaseFolder, url: string) {
  using device = installTestProgram(release.key.publicKey);
  release.offer('1.1.0');
  await installRelease({ ...device.options, server: { url } });
  const started = [1, 2, 3, 4, 5].map(() => device.start('--version'));
  return { started, found: settleTrial(device.folder) };
}

async function main(): Promise<void> {
  using release = createReleaseFolder();
  const url = await openServer(release.folder);
  const results: Record<string, unknown> = {};
  const note = async (name: string, work: Promise<unknown>): Promise<void> => {
    results[name] = await work.catch((error: Error) => ({ error: error.stack }));
  };
  for (const refused of [...refusedReleases, ...damagedFiles])
    await note(refused.name, refuse(release, url, refused));
  for (const step of steps) await note(step, interrupt(release, url, step));
  await note('undone', undo(release, url));
  console.log(`RESULTS ${JSON.stringify(results)}`);
}

const [step, options] = process.argv.slice(2);
void (step === undefined
  ? main().finally(() => process.exit())
  : endAfter(step, JSON.parse(options!) as InstallOptions));
