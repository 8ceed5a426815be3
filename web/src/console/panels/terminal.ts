/** The terminal panel. Its code is large, so the page loads it when the panel is first opened. */
import { element, fill } from '../../ui/element.ts';
import { loadModule } from '../../ui/load-module.ts';
import type { ConsolePanel } from './console-panel.ts';
import { consolePanelTexts } from './texts.ts';
import { widthOfColumns } from './terminal/font.ts';
import type { createTerminals as create, Terminals } from './terminal/terminals.ts';

const { terminal: texts } = consolePanelTexts;
/** Programs for terminals expect at least as many. */
const columns = 80;

export function createTerminalPanel(): ConsolePanel {
  let terminals: Promise<Terminals> | undefined;
  return {
    id: 'terminal',
    title: texts.title,
    icon: 'terminal',
    kind: 'terminal',
    isDetachable: true,
    preferredWidth: () => widthOfColumns(columns),
    moved: () => void terminals?.then((shown) => shown.moved()),
    open(container, session) {
      let isOpen = true;
      fill(container, element('p', { class: 'quiet' }, texts.loading));
      terminals ??= loadModule<{ createTerminals: typeof create }>('terminal.js').then(
        ({ createTerminals }) => createTerminals(session),
      );
      terminals.then(
        (shown) => isOpen && shown.show(container),
        () => {
          terminals = undefined;
          fill(container, element('p', { class: 'notice bad' }, texts.failed));
        },
      );
      return () => {
        isOpen = false;
        void terminals?.then((shown) => shown.hide());
      };
    },
  };
}
