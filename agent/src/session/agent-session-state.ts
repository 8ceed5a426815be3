/** What one session on the device holds while it runs. */
import type { Preparation } from './prepare-admission.ts';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { Grant, RecordingTarget } from '@drawbridge/contract/session/signed';
import type { DeviceConnection } from '@drawbridge/session/device';
import type { ApprovedSession } from '../four-eyes/approvals.ts';
import type { AdmittedOperator } from './admit-operator.ts';
import type { AgentSessionOptions } from './agent-session-options.ts';
import type { FeatureSet } from './feature-set.ts';
import type { IdleTimer } from './idle-timer.ts';
import type { Seat } from './participants.ts';
import type { ManualRecording } from './recording/manual-recording.ts';
import type { SessionRecording } from './recording/session-recording.ts';

export interface AgentSession {
  number: number;
  end(by: SessionMessage<'end'>['by'], message: string, back?: boolean): void;
  /** Starts or stops a recording that the operator asked for; throws the reason for a refusal. */
  record(target: RecordingTarget | undefined): void;
  /** Ends what the policy of the device forbids now, or the whole session. */
  policyChanged(): void;
  /** Resolves when everything the session opened is closed. */
  closed: Promise<void>;
}

interface LiveSession extends AdmittedOperator {
  seat: Seat;
  idleTimer: IdleTimer;
}

export interface AgentSessionState {
  readonly options: AgentSessionOptions;
  /** The grant as far as the policy of the device allows it. */
  readonly grant: Grant;
  readonly ended: AbortController;
  readonly closed: PromiseWithResolvers<void>;
  readonly cleanups: (() => void)[];
  readonly about: Preparation['about'];
  live: LiveSession | undefined;
  /** What a second person approved, on a device with four eyes. */
  approved: ApprovedSession | undefined;
  /** A direct connection is in use, or was attempted. */
  hasTriedDirect: boolean;
  refusals: number;
  connection: DeviceConnection;
  features: FeatureSet;
  recording: SessionRecording;
  manualRecording: ManualRecording;
  log(line: string): void;
}
