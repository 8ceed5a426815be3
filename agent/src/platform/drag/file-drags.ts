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
export interface HeldPointer {
  x: number;
  y: number;
  pressedAt: number;
}

/** Finds out whether files are dragged with the pointer. */
export interface DragSearch extends DropTarget {
  /** Resolves with false if the search is closed before. */
  found: Promise<boolean>;
}

export interface FileDrags<Dragged = readonly string[]> {
  /** Called when a program begins a drag, of whatever it is, on desktops that tell it. */
  onBegin(listener: () => void): void;
  /** One at a time: it may need a place under the pointer of its own. */
  search(pointer: HeldPointer): DragSearch;
  openTarget(position: { x: number; y: number }, listener: DropListener<Dragged>): DropTarget;
  close(): void;
}
