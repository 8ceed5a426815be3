/** Admits an authenticated operator to a session: asks the person at the device if the grant requires it, and shows the banner. */
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { Grant } from '@drawbridge/contract/session/signed';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { ApprovedSession } from '../four-eyes/approvals.ts';
import type { Platform } from '../platform/platform.ts';
import { capabilitiesOf, type SessionCapabilities } from './capabilities.ts';
import { askConsent } from './consent.ts';
import type { Participants } from './participants.ts';
import type { Notice, ShownNotice } from './notice.ts';
import { shortenName, shortenReason } from './plain-text.ts';
import type { Preparation } from './prepare-admission.ts';

export interface AdmissionInput {
  grant: Grant;
  /** What a second person approved, on a device with four eyes. */
  approved?: ApprovedSession | undefined;
  about: Preparation['about'];
  platform: Platform;
  participants: Participants;
  notice: Notice;
  /** The code that both sides show for comparison. */
  code: string;
  /** The kinds of frames that a feature handles. */
  handledKinds: ReadonlySet<FrameKindName>;
  tell(state: SessionMessage<'state'>): void;
  onStop(): void;
  /** Called with the reason when what the person agreed to cannot continue. */
  onLost(message: string): void;
  /** Aborted when the operator disconnects. */
  signal: AbortSignal;
  log(line: string): void;
}

export interface AdmittedOperator {
  capabilities: SessionCapabilities;
  leave(): void;
  /** Tells both sides whether the session is recorded. */
  announceRecording(isRecorded: boolean): Promise<void>;
  /** Tells the operator that the session can do less than before. */
  announceCapabilities(capabilities: SessionCapabilities): void;
}

export type Admission = { refused: string } | AdmittedOperator;

export async function admitOperator(input: AdmissionInput): Promise<Admission> {
  const { grant, signal, log } = input;
  const about = { ...(await input.about), recording: grant.record !== undefined };
  const none = { permissions: [], unable: {} };
  // Released also if a later step fails.
  using held = new DisposableStack();
  if (grant.confirm) {
    input.tell({ ...about, ...none, phase: 'asking', message: 'The person at the device is being asked.' });
    const asked = await askConsent(grant, input);
    if ('refused' in asked) {
      input.tell({ ...about, ...none, phase: 'refused', message: asked.refused.slice(0, 512) });
      return asked;
    }
    // Held for the whole session, because the next person who logs in has not agreed to anything.
    held.defer(() => asked.agreedOn.close());
    asked.agreedOn.onClose((why = '') =>
      input.onLost(`${why} The desktop on which the person agreed was closed.`.trim()),
    );
  }
  if (signal.aborted) return { refused: 'The operator has disconnected.' };
  const banner = await openBanner(input);
  const { whyNot, untold } = banner;
  held.defer(banner.leave);
  const capabilities = capabilitiesOf(grant.permissions, input.handledKinds, whyNot);
  const hidden = whyNot ?? untold;
  if (hidden !== undefined) log(`the banner is not shown on the device: ${hidden}`);
  log(`started with ${grant.operator.name}: ${[...capabilities.permissions].join(', ')}`);
  const announce = createAnnouncer(input, about, capabilities);
  announce({});
  const all = held.move();
  return {
    capabilities,
    leave: () => all.dispose(),
    async announceRecording(isRecorded) {
      await banner.update(isRecorded);
      announce({ recording: isRecorded });
    },
    announceCapabilities: ({ permissions, unable }) => announce({ permissions: [...permissions], unable }),
  };
}

/** Tells the operator the state of the live session, with what has changed since the last time. */
function createAnnouncer(
  { tell, approved }: AdmissionInput,
  about: Awaited<Preparation['about']> & { recording: boolean },
  { permissions, unable }: SessionCapabilities,
): (changed: Partial<Pick<SessionMessage<'state'>, 'recording' | 'permissions' | 'unable'>>) => void {
  const token = approved && { approval: approved.token };
  let state = {
    ...about,
    ...token,
    permissions: [...permissions],
    unable,
    phase: 'live' as const,
    message: '',
  };
  return (changed) => tell((state = { ...state, ...changed }));
}

/** Without a display, features that need one are refused; a display that appears later still shows the banner. */
async function openBanner(input: AdmissionInput) {
  let shown = await showBanner(input, input.grant.record !== undefined);
  let isLeft = false;
  return {
    whyNot: shown.whyNot,
    untold: shown.untold,
    leave(): void {
      isLeft = true;
      shown.leave();
    },
    /** Shows the new line before the old one is removed, so that the banner stays open. */
    async update(isRecorded: boolean): Promise<void> {
      const before = shown;
      shown = await showBanner(input, isRecorded);
      before.leave();
      if (isLeft) shown.leave();
    },
  };
}

function showBanner(
  { grant, approved, notice, code, onStop }: AdmissionInput,
  isRecorded: boolean,
): Promise<ShownNotice> {
  const recorded = isRecorded ? '  ·  this session is recorded' : '';
  const reason = grant.reason ? `: ${shortenReason(grant.reason)}` : '';
  const second = approved ? `, approved by ${shortenName(approved.approver.name)}` : '';
  const line = `${shortenName(grant.operator.name)} is connected to this computer${second}${reason}${recorded}  ·  ${code}`;
  return notice.show(line, onStop);
}
