/** Files that are dropped onto the screen of the device. */
import { element } from '../../ui/element.ts';
import type { PanelDock } from '../panel-dock.ts';

const holdsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;

/** Shows where the files would go while they are dragged over the screen, and passes them on when they are dropped. */
export function acceptScreenDrops(
  screen: HTMLElement,
  dock: Pick<PanelDock, 'dropHint' | 'drop'>,
): HTMLElement {
  const hint = element('p', { class: 'drop-hint', role: 'status', hidden: true });
  screen.addEventListener('dragover', (event) => {
    if (!holdsFiles(event)) return;
    // Otherwise the browser would open the file instead of the session.
    event.preventDefault();
    const text = dock.dropHint();
    hint.hidden = text === undefined;
    hint.textContent = text ?? '';
    event.dataTransfer!.dropEffect = text === undefined ? 'none' : 'copy';
  });
  screen.addEventListener('dragleave', () => (hint.hidden = true));
  screen.addEventListener('drop', (event) => {
    hint.hidden = true;
    if (!holdsFiles(event)) return;
    event.preventDefault();
    dock.drop(event.dataTransfer!);
  });
  return hint;
}
