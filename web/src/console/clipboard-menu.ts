/** The clipboard by hand, for what the browser does not do by itself. */
import { button } from '../ui/button.ts';
import { element } from '../ui/element.ts';
import { menu, type MenuItem } from '../ui/menu.ts';
import type { ConsoleContext } from './console-context.ts';
import { consoleTexts } from './texts.ts';

const { clipboard: texts } = consoleTexts;

export const clipboardMenu = (context: ConsoleContext, unable: string | undefined): HTMLElement =>
  menu({ icon: 'clipboard', title: texts.title, unable }, () => [
    { items: items(context) },
    { content: pasteField(context) },
  ]);

const items = ({ clipboardSync, notices }: ConsoleContext): MenuItem[] => [
  {
    text: texts.auto,
    checked: clipboardSync.isAuto,
    choose() {
      clipboardSync.isAuto = !clipboardSync.isAuto;
      // Here the person asked for it: the browser may ask them in turn.
      if (clipboardSync.isAuto) void clipboardSync.readLocal();
    },
  },
  {
    text: texts.take,
    unable: clipboardSync.remote === '' ? texts.nothing : undefined,
    choose: () =>
      void clipboardSync
        .copyToLocal()
        .then((isTaken) => notices.show(isTaken ? texts.taken : texts.refused, isTaken ? 'plain' : 'bad')),
  },
];

function pasteField({ clipboardSync, notices }: ConsoleContext): HTMLElement {
  const field = element('textarea', {
    class: 'field',
    rows: 3,
    placeholder: texts.field,
    'aria-label': texts.field,
  });
  const send = (): void => {
    clipboardSync.send(field.value);
    notices.show(texts.sent);
    field.value = '';
  };
  return element('div', { class: 'menu-form' }, field, button(texts.send, send, 'primary'));
}
