/** The objects that the tools of the console share. */
import type { RemoteSession } from '@drawbridge/session/operator/session';
import type { Notices } from '../ui/notices.ts';
import type { BlackOut } from './black-out.ts';
import type { ClipboardSync } from './clipboard-sync.ts';
import type { RecordingSwitch } from './recording-switch.ts';
import type { DeviceSwitch } from './device-switch.ts';
import type { StickyInput } from './input/sticky-input.ts';
import type { RemoteScreen } from './screen/remote-screen.ts';
import type { Monitors } from './monitors/monitors.ts';
import type { Viewport } from './screen/viewport.ts';

export type PictureQuality = 'auto' | 'sharp' | 'fast';

export interface ConsoleContext {
  session: RemoteSession;
  screen: RemoteScreen;
  viewport: Viewport;
  input: StickyInput;
  clipboardSync: ClipboardSync;
  notices: Notices;
  blackOut: BlackOut;
  manualRecording: RecordingSwitch;
  sound: DeviceSwitch;
  printing: DeviceSwitch;
  monitors: Monitors;
  /** The operator's settings for this session. */
  choices: { quality: PictureQuality; viewOnly: boolean };
  /** Applies the settings and redraws the toolbar. */
  onChoice(): void;
  /** Moves the keyboard focus back to the screen. */
  focus(): void;
}
