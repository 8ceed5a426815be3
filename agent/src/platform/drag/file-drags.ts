/** The interface of drags of files on the desktop of the device, which an operator takes out of the picture. */

export interface DropListener {
  /** Called once with the dragged files, as paths of `Files`. Returns whether they can be dropped. */
  onFiles(paths: readonly string[]): boolean;
  /** Called when files that can be dropped were dropped. */
  onDrop(): void;
}

/** A place under the pointer that takes dragged files. Nobody sees it. */
export interface DropTarget {
  move(x: number, y: number): void;
  close(): void;
}

export interface FileDrags {
  /** Called when a program begins a drag, of whatever it is. */
  onBegin(listener: () => void): void;
  /** Whether files are dragged; drags that began before this time of `performance.now` are over. */
  hasFiles(since: number): Promise<boolean>;
  openTarget(position: { x: number; y: number }, listener: DropListener): DropTarget;
  close(): void;
}
