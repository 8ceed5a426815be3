/** The recording that the operator starts and stops. It continues after the connection was lost and after a reload. */
import type { SessionProblem } from '@drawbridge/contract/session/problem';
import type { RemoteSession } from '@drawbridge/session/operator/session';
import type { Notices } from '../ui/notices.ts';
import { consoleTexts } from './texts.ts';

export interface RecordingSwitch {
  isOffered(): boolean;
  /** Starts the recording, or stops it if there is one. */
  toggle(): void;
}

export interface ManualRecordingOptions {
  session: Pick<RemoteSession, 'state' | 'recording' | 'mayRecord' | 'permissions' | 'onChange'>;
  notices: Pick<Notices, 'show'>;
  /** Whether the session was recorded before the page was reloaded. */
  wasRecorded: boolean;
  /** Asks the server; resolves to why not. */
  request(on: boolean): Promise<SessionProblem | undefined>;
}

interface State {
  options: ManualRecordingOptions;
  /** Whether the session was recorded before the connection was lost. */
  isWanted: boolean;
  wasLive: boolean;
}

export function createRecordingSwitch(options: ManualRecordingOptions): RecordingSwitch {
  const { session, wasRecorded } = options;
  const state: State = { options, isWanted: wasRecorded, wasLive: false };
  session.onChange(() => followConnection(state));
  followConnection(state);
  return {
    isOffered: () => session.mayRecord && session.permissions.has('agent_connect'),
    toggle: () => void switchTo(state, !session.recording),
  };
}

async function switchTo({ options: { request, notices } }: State, on: boolean): Promise<void> {
  const problem = await request(on);
  if (problem) notices.show(problem.message || consoleTexts.problems[problem.code], 'bad');
}

/** The device does not know of the earlier connection, so the recording is started again. */
function followConnection(state: State): void {
  const { state: connection, recording, mayRecord } = state.options.session;
  const isLive = connection.phase === 'live';
  if (isLive && !state.wasLive && state.isWanted && !recording && mayRecord) void switchTo(state, true);
  else if (isLive) state.isWanted = recording;
  state.wasLive = isLive;
}
