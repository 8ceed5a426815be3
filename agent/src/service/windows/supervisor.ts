/**
 * Keeps the agent running: starts it again after a failure, after an update and in another session, and returns to the
 * previous version if a new one does not connect. It runs in the service, so that it also ends a version that hangs.
 */
import timers from 'node:timers/promises';
import { restartCode } from '../../run.ts';
import {
  countStart,
  currentSlot,
  isOnTrial,
  nextTrial,
  slotFile,
  switchTo,
  type Trial,
} from '../../update/slots.ts';
import type { SessionProcess } from './session-process.ts';

export interface SupervisorOptions {
  /** The folder of the installed program. */
  folder: string;
  start(program: string, signal: AbortSignal): Promise<SessionProcess>;
  /** Never throws. */
  log(line: string): void;
}

export interface Supervisor {
  stop(): void;
  /** Starts the agent again, in the session that is active then. */
  move(): void;
  /** Resolves when the agent has ended for good: it was stopped, or its device was unlinked. */
  ended: Promise<void>;
}

/** A version that has not connected after this time does not stay. */
const trialSeconds = 300;
/** Before each start after a failure; the last one repeats. The count starts again after an hour without failures. */
const restartDelaysMs = [2_000, 10_000, 60_000];
const stableMs = 60 * 60_000;
const failedCode = 1;

interface State {
  readonly options: SupervisorOptions;
  readonly stopping: AbortController;
  agent: SessionProcess | undefined;
  isMoving: boolean;
}

export function superviseAgent(options: SupervisorOptions): Supervisor {
  const state: State = { options, stopping: new AbortController(), agent: undefined, isMoving: false };
  return {
    stop() {
      state.stopping.abort();
      state.agent?.stop();
    },
    move() {
      state.isMoving = true;
      state.agent?.stop();
    },
    ended: keepRunning(state),
  };
}

async function keepRunning(state: State): Promise<void> {
  const { signal } = state.stopping;
  let failures = 0;
  while (!signal.aborted) {
    const startedAt = performance.now();
    const code = await runOnce(state);
    if (state.isMoving || code === restartCode) continue;
    if (code === 0) return;
    if (performance.now() - startedAt > stableMs) failures = 0;
    const pause = restartDelaysMs[Math.min(failures, restartDelaysMs.length - 1)];
    failures += 1;
    await timers.setTimeout(pause, undefined, { signal }).catch(() => {});
  }
}

/** Resolves with the exit code of the agent. A version that cannot be started counts as one that has failed. */
async function runOnce(state: State): Promise<number> {
  const { folder, start, log } = state.options;
  state.isMoving = false;
  try {
    const trial = beginStart(state.options);
    const slot = currentSlot(folder);
    const agent = await start(slot ? slotFile(folder, slot) : process.execPath, state.stopping.signal);
    log(`started in session ${agent.session}`);
    state.agent = agent;
    if (state.isMoving || state.stopping.signal.aborted) agent.stop();
    const timer = trial && endLateTrial(state.options, trial, agent);
    const code = await agent.exited;
    clearInterval(timer);
    log(`ended with code ${code}`);
    return code;
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
    return failedCode;
  }
}

/** A full disk must not keep the agent from starting, or a version on trial from being ended after five minutes. */
function beginStart({ folder, log }: SupervisorOptions): Trial | undefined {
  let trial: Trial | undefined;
  try {
    trial = nextTrial(folder);
    trial = countStart(folder);
  } catch (error) {
    log(`the start was not counted: ${String(error)}`);
  }
  return trial;
}

/** Counts seconds instead of comparing times, so that a device may sleep. A full disk delays it, and does not end the service. */
function endLateTrial(
  { folder, log }: SupervisorOptions,
  trial: Trial,
  agent: SessionProcess,
): NodeJS.Timeout {
  let waited = 0;
  return setInterval(() => {
    waited += 1;
    if (waited % trialSeconds !== 0 || !isOnTrial(folder)) return;
    log(`version ${trial.version} did not connect`);
    try {
      switchTo(folder, trial.previous);
      agent.kill();
    } catch (error) {
      log(`the previous version could not be restored: ${String(error)}`);
    }
  }, 1_000);
}
