/** The clipboard menu, for what the browser does not synchronize by itself. */
import { button } from '../../ui/button.ts';
import { element } from '../../ui/element.ts';
import { menu, type MenuItem } from '../../ui/menu.ts';
import type { ConsoleContext } from '../console-context.ts';
import { consoleTexts } from '../texts.ts';

const { clipboard: texts } = consoleTexts;

export const clipboardMenu = (context: ConsoleContext, unable: string | undefined): HTMLElement =>
  menu({ icon: 'clipboard', title: texts.title, label: texts.title, unable }, () => [
    { items: items(context) },
    { content: pasteField(context) },
  ]);

const items = ({ clipboardSync, notices }: ConsoleContext): MenuItem[] => [
  {
    text: texts.auto,
    checked: clipboardSync.isAuto,
    choose() {
      clipboardSync.isAuto = !clipboardSync.isAuto;
      // The person asked for it, so the browser may show its permission prompt.
      if (clipboardSync.isAuto) void clipboardSync.readLocal();
    },
  },
  {
    text: texts.take,
    unable: clipboardSync.remote === '' ? texts.nothing : undefined,
    choose: () =>
      void clipboardSync
        .copyToLocal()
        .then((isCopied) => notices.show(isCopied ? texts.taken : texts.refused, isCopied ? 'plain' : 'bad')),
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
