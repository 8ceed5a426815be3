/** Devices and groups on their way with the pointer. */
const kinds = { devices: 'application/x-drawbridge-devices', group: 'application/x-drawbridge-group' };

export type Dragged = keyof typeof kinds;

export function startDrag(event: DragEvent, kind: Dragged, ids: readonly number[]): void {
  if (!event.dataTransfer) return;
  event.dataTransfer.clearData();
  event.dataTransfer.setData(kinds[kind], ids.join(','));
  event.dataTransfer.effectAllowed = 'move';
}

export const isDragging = (event: DragEvent, kind: Dragged): boolean =>
  event.dataTransfer?.types.includes(kinds[kind]) ?? false;

export const draggedIds = (event: DragEvent, kind: Dragged): number[] =>
  (event.dataTransfer?.getData(kinds[kind]) ?? '')
    .split(',')
    .map(Number)
    .filter((id) => id > 0);
