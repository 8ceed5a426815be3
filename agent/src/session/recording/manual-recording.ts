/** A recording that the operator starts and stops during a session. The person at the device sees it in the banner. */
import type { Grant, RecordingTarget } from '@drawbridge/contract/session/signed';
import { NotPossible } from '../../platform/platform.ts';
import type { SessionRecording } from './session-recording.ts';

export interface ManualRecording {
  /** Starts a recording, or stops it without a target. Throws the reason for a refusal. */
  switchTo(target: RecordingTarget | undefined): void;
  /** Whether a recording runs, or the person at the device is asked for one. */
  isWanted(): boolean;
}

export interface ManualRecordingDeps {
  grant: Pick<Grant, 'record' | 'confirm' | 'operator' | 'permissions'>;
  recording: Pick<SessionRecording, 'begin' | 'stop'>;
  isLive(): boolean;
  /** Asks the person at the device. */
  ask(question: string): Promise<boolean>;
  /** Tells both sides whether the session is recorded. */
  announce(isRecorded: boolean): Promise<void>;
  /** Tells the operator why not. */
  refuse(message: string): void;
}

interface State {
  deps: ManualRecordingDeps;
  /** What the operator asked for last, also while the person at the device is asked; undefined without a recording. */
  wanted: RecordingTarget | undefined;
  queue: Promise<void>;
}

export function createManualRecording(deps: ManualRecordingDeps): ManualRecording {
  const state: State = { deps, wanted: undefined, queue: Promise.resolve() };
  return {
    switchTo(target) {
      const whyNot = whyNotPossible(state, target);
      if (whyNot !== undefined) throw new NotPossible(whyNot);
      change(state, target);
    },
    isWanted: () => state.wanted !== undefined,
  };
}

function whyNotPossible({ deps: { grant, isLive }, wanted }: State, target: unknown): string | undefined {
  if (grant.record) return 'This session must be recorded.';
  if (!isLive()) return 'The session has not started yet.';
  if (!grant.permissions.includes('agent_connect')) return 'This session does not show the screen.';
  // Otherwise an operator could ask the person at the device again and again.
  return target && wanted ? 'The recording was requested already.' : undefined;
}

function change(state: State, target: RecordingTarget | undefined): void {
  const { deps } = state;
  state.wanted = target;
  state.queue = state.queue
    .then(() => (target ? start(state, target) : stop(deps)))
    .catch((error: unknown) => giveUp(state, target, error instanceof Error ? error.message : String(error)));
}

function giveUp(state: State, target: RecordingTarget | undefined, message: string): void {
  if (state.wanted === target) state.wanted = undefined;
  state.deps.refuse(message);
}

/** The person who agreed to a session without a recording is asked again. */
async function start(state: State, target: RecordingTarget): Promise<void> {
  const { grant, recording, isLive, ask, announce, refuse } = state.deps;
  const isWanted = (): boolean => isLive() && state.wanted === target;
  if (grant.confirm && !(await ask(`${grant.operator.name} wants to record this session`)))
    return giveUp(state, target, 'The person at the device did not agree to a recording.');
  if (!isWanted()) return;
  await announce(true);
  if (!isWanted()) return;
  recording.begin(target, (reason) => {
    refuse(`The recording was stopped: ${reason}.`);
    // A recording that was stopped before may fail too, when its end is uploaded.
    if (state.wanted === target) change(state, undefined);
  });
}

/** The recording ends at once; its upload may take longer. */
async function stop({ recording, announce }: ManualRecordingDeps): Promise<void> {
  await Promise.all([recording.stop(), announce(false)]);
}
