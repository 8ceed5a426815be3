/** What the tools of the console work with. */
import type { RemoteSession } from '../session/session.ts';
import type { Notices } from '../ui/notices.ts';
import type { BlackOut } from './black-out.ts';
import type { ClipboardSync } from './clipboard-sync.ts';
import type { RemoteInput } from './input/remote-input.ts';
import type { RemoteScreen } from './remote-screen.ts';
import type { Viewport } from './viewport.ts';

export type PictureQuality = 'auto' | 'sharp' | 'fast';

export interface ConsoleContext {
  session: RemoteSession;
  screen: RemoteScreen;
  viewport: Viewport;
  input: RemoteInput;
  clipboardSync: ClipboardSync;
  notices: Notices;
  blackOut: BlackOut;
  /** What the person has chosen. */
  choices: { quality: PictureQuality; viewOnly: boolean };
  /** Puts a choice into practice, and shows it. */
  onChoice(): void;
  /** Gives mouse and keyboard back to the picture. */
  focus(): void;
}
