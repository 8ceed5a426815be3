/** What a session on the device needs. */
import type { Policy } from '@drawbridge/contract/policy';
import type { Grant } from '@drawbridge/contract/session/signed';
import type { Clock, RelayListener, RelayTransport, SigningKey } from '@drawbridge/session/ports';
import type { Approvals } from '../four-eyes/approvals.ts';
import type { Platform } from '../platform/platform.ts';
import type { FeatureFactory } from './feature.ts';
import type { Notice } from './notice.ts';
import type { Participants } from './participants.ts';
import type { SessionRecordingOptions } from './recording/session-recording.ts';

export interface AgentSessionOptions {
  grant: Grant;
  /** The grant as the server signed it. */
  signedGrant: string;
  deviceKey: SigningKey;
  openRelay(listener: RelayListener): RelayTransport;
  clock: Clock;
  platform: Platform;
  /** The same for features: its desktops are opened only while the banner is on them. */
  featurePlatform: Platform;
  /** Whether a desktop is shown on which the person cannot be told who is connected. */
  isUntold(): boolean;
  /** The policy of the device; read again whenever it counts. */
  policy(): Policy;
  /** The operator used a one-time link. */
  isOnetime: boolean;
  features: readonly FeatureFactory[];
  participants: Participants;
  notice: Notice;
  /** How the server of the recordings is reached. */
  recordingConnection: SessionRecordingOptions['connection'];
  /** Absent where sessions never need a second person. */
  approvals?: Approvals | undefined;
  /** The number by which the account knows the device. */
  agentId(): number;
  /** Unix time in seconds. */
  now(): number;
  log(line: string): void;
}
