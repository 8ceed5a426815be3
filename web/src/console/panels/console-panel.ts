/** The interface of the panels that open beside the screen. */
import type { DraggedFile } from '@drawbridge/contract/session/features/file-drag';
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { RemoteSession } from '@drawbridge/session/operator/session';
import type { IconName } from '../../ui/icons.ts';

export interface ConsolePanel {
  /** Unique; also used in class names. */
  id: string;
  title: string;
  icon: IconName;
  /** The kind of frame without which the panel is of no use. */
  kind: FrameKindName;
  /** Whether the panel can have a window of its own. */
  isDetachable?: true;
  /** The width that it has until the operator chooses another one, in pixels. */
  preferredWidth?(): number;
  /** Called when its container has moved to another window. */
  moved?(): void;
  /** Called once when the session begins. `notify` marks the panel's button until the panel is opened. */
  subscribe?(session: RemoteSession, notify: () => void): void;
  /** Fills the container and returns a function that cleans up. The session may reconnect while the panel is open. */
  open(container: HTMLElement, session: RemoteSession): () => void;
  /** Present in the panel that takes files which are dropped onto the screen or dragged out of it. */
  drop?: {
    /** What happens to them. */
    hint(session: RemoteSession): string;
    /** Called while the panel is open. */
    take(data: DataTransfer): void;
    /** Downloads files of the device that were dragged out of the screen; called while the panel is open. */
    save(files: readonly DraggedFile[]): void;
  };
}
