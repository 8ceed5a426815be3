/** The drag-and-drop data of devices and groups. */
const kinds = { devices: 'application/x-drawbridge-devices', group: 'application/x-drawbridge-group' };

export type DragKind = keyof typeof kinds;

export function startDrag(event: DragEvent, kind: DragKind, ids: readonly number[]): void {
  if (!event.dataTransfer) return;
  event.dataTransfer.clearData();
  event.dataTransfer.setData(kinds[kind], ids.join(','));
  event.dataTransfer.effectAllowed = 'move';
}

export const isDragging = (event: DragEvent, kind: DragKind): boolean =>
  event.dataTransfer?.types.includes(kinds[kind]) ?? false;

export const draggedIds = (event: DragEvent, kind: DragKind): number[] =>
  (event.dataTransfer?.getData(kinds[kind]) ?? '')
    .split(',')
    .map(Number)
    .filter((id) => id > 0);
