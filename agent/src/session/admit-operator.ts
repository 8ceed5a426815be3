/** From a proved operator to a live session: the person at the device is asked where the grant says so, and the banner is shown. */
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { Grant } from '@drawbridge/contract/session/signed';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { Platform } from '../platform/platform.ts';
import { capabilitiesOf, type SessionCapabilities } from './capabilities.ts';
import { askConsent } from './consent.ts';
import type { Participants } from './participants.ts';
import type { Notice, ShownNotice } from './notice.ts';

export interface AdmissionInput {
  grant: Grant;
  platform: Platform;
  participants: Participants;
  notice: Notice;
  /** What the two sides show to compare. */
  code: string;
  /** The kinds of frames somebody on the device listens to. */
  handledKinds: ReadonlySet<FrameKindName>;
  tell(state: SessionMessage<'state'>): void;
  onStop(): void;
  /** What the person agreed to cannot go on, and why. */
  onLost(message: string): void;
  /** The operator is gone. */
  signal: AbortSignal;
  log(line: string): void;
}

export type Admission = { refused: string } | { capabilities: SessionCapabilities; leave(): void };

export async function admitOperator(input: AdmissionInput): Promise<Admission> {
  const { grant, signal, log } = input;
  const about = await aboutDevice(input);
  const none = { permissions: [], unable: {} };
  // Given back also where something fails on the way.
  using held = new DisposableStack();
  if (grant.confirm) {
    input.tell({ ...about, ...none, phase: 'asking', message: 'The person at the device is being asked.' });
    const asked = await askConsent(grant, input);
    if ('refused' in asked) {
      input.tell({ ...about, ...none, phase: 'refused', message: asked.refused.slice(0, 512) });
      return asked;
    }
    // Held as long as the session lasts: the next person to log in has not agreed to anything.
    held.defer(() => asked.agreedOn.close());
    asked.agreedOn.onClose(() => input.onLost('The desktop on which the person agreed was closed.'));
  }
  if (signal.aborted) return { refused: 'The operator has disconnected.' };
  const { leave, whyNot } = await showBanner(input);
  held.defer(leave);
  const capabilities = capabilitiesOf(grant.permissions, input.handledKinds, whyNot);
  if (whyNot !== undefined) log(`the banner is not shown on the device: ${whyNot}`);
  log(`started with ${grant.operator.name}: ${[...capabilities.permissions].join(', ')}`);
  const { permissions, unable } = capabilities;
  input.tell({ ...about, permissions: [...permissions], unable, phase: 'live', message: '' });
  const all = held.move();
  return { capabilities, leave: () => all.dispose() };
}

async function aboutDevice({ grant, platform }: AdmissionInput) {
  const { os } = await platform.facts();
  const files = await platform.files().catch(() => undefined);
  return { recording: grant.record !== undefined, os, home: files?.home ?? '' };
}

/** Characters of a name in the banner; the middle of a longer one is left out, so that the rest of the line has its place. */
const longestName = 64;

function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= longestName) return name;
  const half = Math.floor(longestName / 2);
  return `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`;
}

/** Where there is no display what needs one is not done; one that comes later shows the banner all the same. */
function showBanner({ grant, notice, code, onStop }: AdmissionInput): Promise<ShownNotice> {
  const recorded = grant.record ? '  ·  this session is recorded' : '';
  const line = `${shortened(grant.operator.name)} is connected to this computer${recorded}  ·  ${code}`;
  return notice.show(line, onStop);
}
