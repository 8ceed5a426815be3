/** The shape of what can be opened beside the screen. */
import type { SessionPermission } from '@drawbridge/contract/session/frame-kinds';
import type { RemoteSession } from '../../session/session.ts';
import type { IconName } from '../../ui/icons.ts';

export interface ConsolePanel {
  /** Unique; also part of class names. */
  id: string;
  title: string;
  icon: IconName;
  /** Null: for everybody. */
  permission: SessionPermission | null;
  /** Hears the session from its beginning, open or not. `notify` asks for attention: the button carries a mark until it is opened. */
  subscribe?(session: RemoteSession, notify: () => void): void;
  /** Fills the container; the answer takes everything back. The session may be lost and found again meanwhile. */
  open(container: HTMLElement, session: RemoteSession): () => void;
}
