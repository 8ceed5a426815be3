/** A real agent in this process, with a fake machine under it, connected to a service. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import { runAgent, type AgentExit } from '@drawbridge/agent/agent';
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
  /** Resolves when a line like this was or is logged. */
  until(pattern: RegExp): Promise<string>;
  /** How its life ended. */
  over: Promise<AgentExit>;
  stop(): Promise<void>;
}

export function startAgent(given: {
  server: string;
  token?: string;
  state?: AgentState;
  machine?: FakePlatform;
  /** Between 0 and 1: how much of each waiting time is waited. */
  random?: () => number;
  /** How it connects, such as whom else it trusts. */
  connect?: ClientOptions;
}): TestAgent {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-agent-'));
  const token = given.token === undefined ? undefined : parseEnrolmentToken(given.token);
  const state = given.state ?? newState(given.server, token?.secret ?? '', token?.certificate ?? '');
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
    random: given.random ?? (() => 0),
    log: (line) => void lines.push(line),
    signal: end.signal,
  });
  const until = async (pattern: RegExp): Promise<string> => {
    const { found } = await eventually(
      () => ({ pattern: String(pattern), found: lines.find((each) => pattern.test(each)), lines }),
      (told) => told.found !== undefined,
    );
    return found!;
  };
  const stop = async (): Promise<void> => {
    end.abort();
    await over;
  };
  return {
    state,
    folder,
    machine,
    lines,
    until,
    over,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
