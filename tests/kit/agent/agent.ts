/** A real agent in this process, on a fake platform, connected to a service. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import { runAgent, type AgentExit, type AgentOptions } from '@drawbridge/agent/agent';
import { newState, type AgentState } from '@drawbridge/agent/state';
import type { ClientOptions } from 'ws';
import { createFakePlatform, type FakePlatform } from './fake-platform.ts';
import { eventually } from '../eventually.ts';

export interface TestAgent extends AsyncDisposable {
  state: AgentState;
  folder: string;
  machine: FakePlatform;
  /** Every line the agent logged. */
  lines: string[];
  /** Resolves when a matching line is or was logged. */
  until(pattern: RegExp): Promise<string>;
  /** Resolves with how the agent ended. */
  over: Promise<AgentExit>;
  stop(): Promise<void>;
}

interface TestAgentOptions {
  server: string;
  token?: string;
  state?: AgentState;
  machine?: FakePlatform;
  /** Between 0 and 1: the fraction of each back-off delay that is waited. */
  random?: () => number;
  /** Options of its connection, such as further certificates it trusts. */
  connect?: ClientOptions;
  createUpdates?: AgentOptions['createUpdates'];
}

function stateFor({ server, state, token: text }: TestAgentOptions): AgentState {
  const token = text === undefined ? undefined : parseEnrolmentToken(text);
  return state ?? newState(server, token?.secret ?? '', token?.certificate ?? '');
}

async function waitForLine(lines: readonly string[], pattern: RegExp): Promise<string> {
  const { found } = await eventually(
    () => ({ pattern: String(pattern), found: lines.find((each) => pattern.test(each)), lines }),
    (log) => log.found !== undefined,
  );
  return found!;
}

export function startAgent(given: TestAgentOptions): TestAgent {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-agent-'));
  const state = stateFor(given);
  const machine = given.machine ?? createFakePlatform();
  const lines: string[] = [];
  const end = new AbortController();
  const over = runAgent({
    folder,
    state,
    platform: machine,
    version: '0.1.0',
    installed: false,
    ...(given.connect && { connect: given.connect }),
    ...(given.createUpdates && { createUpdates: given.createUpdates }),
    random: given.random ?? (() => 0),
    log: (line) => void lines.push(line),
    signal: end.signal,
  });
  const stop = async (): Promise<void> => {
    end.abort();
    await over;
  };
  return {
    state,
    folder,
    machine,
    lines,
    until: (pattern) => waitForLine(lines, pattern),
    over,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
