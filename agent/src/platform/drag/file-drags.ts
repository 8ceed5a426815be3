/** The interface of drags of files on the desktop of the device, which an operator takes out of the picture. */

/** `Dragged`: the dragged files as paths of `Files`, or in another form until operators see them. */
export interface DropListener<Dragged = readonly string[]> {
  /** Called once with the dragged files. Says whether they can be dropped. */
  onFiles(dragged: Dragged): boolean | Promise<boolean>;
  /** Called once when the desktop knows that they can be dropped. */
  onAccepted(): void;
  /** Called when files that can be dropped were dropped. */
  onDrop(): void;
}

/** A place under the pointer that takes dragged files. Nobody sees it. */
export interface DropTarget {
  move(x: number, y: number): void;
  close(): void;
}

/** The pointer with a button held, since this time of `performance.now`. */
interface HeldPointer {
  x: number;
  y: number;
  pressedAt: number;
}

export interface FileDrags<Dragged = readonly string[]> {
  /** Called when a program begins a drag, of whatever it is, on desktops that tell it. */
  onBegin(listener: () => void): void;
  /** Whether files are dragged with this pointer. */
  hasFiles(pointer: HeldPointer): Promise<boolean>;
  openTarget(position: { x: number; y: number }, listener: DropListener<Dragged>): DropTarget;
  close(): void;
}
