/** The keys menu: combinations that the operator's machine would intercept. */
import { element } from '../../ui/element.ts';
import { menu } from '../../ui/menu.ts';
import type { ConsoleContext } from '../console-context.ts';
import { combinations, functionKeys, type KeyCombination } from '../input/special-keys.ts';
import { consoleTexts } from '../texts.ts';

const { keys: texts } = consoleTexts;

export const keysMenu = ({ input, focus }: ConsoleContext): HTMLElement =>
  menu({ icon: 'keyboard', title: texts.title, label: texts.title }, () => {
    const item = ([text, combination]: [string, KeyCombination]) => ({
      text,
      choose: () => (focus(), input.pressKeys(combination)),
    });
    const press = ([text, combination]: [string, KeyCombination]): HTMLElement =>
      element(
        'button',
        { type: 'button', class: 'menu-item key', onclick: () => input.pressKeys(combination) },
        text,
      );
    return [
      { heading: texts.combinations },
      { items: Object.entries(combinations).map(item) },
      { heading: texts.functionKeys },
      { content: element('div', { class: 'key-grid' }, ...Object.entries(functionKeys).map(press)) },
      { content: element('p', { class: 'menu-note quiet' }, texts.leave) },
    ];
  });
