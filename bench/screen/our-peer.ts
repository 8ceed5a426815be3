/** Drawbridge as people run it: the server with its relay, an agent on the display, and the operator's link. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isFault } from '@drawbridge/contract/faults';
import { newAccount } from '@drawbridge/server/compose/create-account';
import { random } from '@drawbridge/server/edges/random';
import { openStore } from '@drawbridge/server/store/engine/open';
import { sendTimed } from '../fleet/timed-requests.ts';
import { endProcess } from '../kit/process.ts';
import { findFreePort, startMeasuredServer } from '../kit/server.ts';
import { buildSingleFile } from '../../tests/kit/agent/single-file.ts';
import type { StartedPeer } from './started-peer.ts';
import { startProcess, waitUntilReady } from './bench-display.ts';

/** Creates a data folder with an account and returns its API key. */
async function prepare(folder: string): Promise<string> {
  const store = await openStore({ folder });
  const account = newAccount(random, 'screen@example.com', 'https://localhost', store.now());
  const made = await store.change('accounts/create', account.input);
  await store.close();
  if (isFault(made)) throw new Error('The account could not be made.');
  return account.apiKey;
}

type Call = <Answer>(operation: string, body?: object) => Promise<Answer>;

const callerOf =
  (port: number, apiKey: string): Call =>
  async <Answer>(operation: string, body?: object) => {
    const headers = { 'X-Api-Key': apiKey, ...(body && { 'Content-Type': 'application/json' }) };
    const url = `https://127.0.0.1:${port}/v1/${operation}`;
    const { http, text } = await sendTimed({ url, headers, ...(body && { body: JSON.stringify(body) }) });
    if (http !== 200) throw new Error(`${operation} was refused: ${text}`);
    return JSON.parse(text) as Answer;
  };

/** The link to the first device, as soon as it is online. */
async function linkOf(call: Call): Promise<string> {
  let id = 0;
  await waitUntilReady(async () => {
    const { data } = await call<{ data: { id: number; online: boolean }[] }>('agents/list');
    id = data[0]?.id ?? 0;
    return data[0]?.online === true;
  }, 'The agent');
  return (await call<{ data: { url: string } }>(`agents/connect?agent_id=${id}`, {})).data.url;
}

/** Settings of the server and the agent, as environment variables. */
interface OurPeerSettings {
  server?: Record<string, string>;
  agent?: Record<string, string>;
  /** Starts the agent of another system with these arguments. */
  startAgent?(args: readonly string[]): MeasuredAgent;
}

interface MeasuredAgent extends AsyncDisposable {
  pid: number;
}

/** An agent that has just started still loads the code of sessions. Those that people connect to have run for longer. */
const settleMs = 4_000;

/** The screen uses the relay, because a direct connection would bypass the measured link. */
const screenSettings = { DRAWBRIDGE_DIRECT: 'false' };

/** The single file, as it is installed. */
function startLinuxAgent(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
): MeasuredAgent {
  const agent = startProcess(program, args, { DRAWBRIDGE_AGENT_HARMLESS: '1', ...env });
  return { pid: agent.pid!, [Symbol.asyncDispose]: () => endProcess(agent) };
}

export async function startOurPeer(display: string, settings: OurPeerSettings = {}): Promise<StartedPeer> {
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-bench-'));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const apiKey = await prepare(folder);
  const port = await findFreePort();
  const origin = `https://localhost:${port}`;
  const { server: serverEnv = screenSettings, agent: agentEnv = {}, startAgent } = settings;
  const env = { DRAWBRIDGE_PUBLIC_URL: origin, ...serverEnv };
  const server = started.use(await startMeasuredServer({ folder, port, env }));
  const call = callerOf(port, apiKey);
  const { token } = await call<{ token: string }>('agents/enroll/create', {});
  const args = ['run', '--server', origin, '--token', token];
  const ownEnv = { DISPLAY: display, DRAWBRIDGE_AGENT_DATA: join(folder, 'agent'), ...agentEnv };
  const agent = started.use(startAgent?.(args) ?? startLinuxAgent(await buildSingleFile(), args, ownEnv));
  const url = await linkOf(call);
  await wait(settleMs);
  const all = started.move();
  return {
    url,
    port,
    agent: agent.pid,
    between: server.pid,
    async connect(page) {
      await page.click('.button.primary');
      await page.until(`document.querySelector('canvas.screen')?.width > 1000`);
    },
    async leave(page) {
      await page.evaluate(`document.querySelector('[aria-label="End the session"]')?.click()`);
      await page.until(`document.querySelector('.gate h1')`);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
