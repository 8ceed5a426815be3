/** The clipboard by hand, for what the browser does not do by itself. */
import { button } from '../ui/button.ts';
import { element } from '../ui/element.ts';
import { menu, type MenuItem } from '../ui/menu.ts';
import type { ConsoleContext } from './console-context.ts';
import { texts } from './texts.ts';

const { clipboard: words } = texts;

export const clipboardMenu = (context: ConsoleContext, unable: string | undefined): HTMLElement =>
  menu({ icon: 'clipboard', title: words.title, unable }, () => [
    { items: items(context) },
    { content: pasteField(context) },
  ]);

const items = ({ clipboards, notices }: ConsoleContext): MenuItem[] => [
  {
    text: words.auto,
    checked: clipboards.isAuto,
    choose() {
      clipboards.isAuto = !clipboards.isAuto;
      // Here the person asked for it: the browser may ask them in turn.
      if (clipboards.isAuto) void clipboards.look();
    },
  },
  {
    text: words.take,
    unable: clipboards.remote === '' ? words.nothing : undefined,
    choose: () =>
      void clipboards
        .take()
        .then((isTaken) => notices.say(isTaken ? words.taken : words.refused, isTaken ? 'plain' : 'bad')),
  },
];

function pasteField({ clipboards, notices }: ConsoleContext): HTMLElement {
  const field = element('textarea', {
    class: 'field',
    rows: 3,
    placeholder: words.field,
    'aria-label': words.field,
  });
  const send = (): void => {
    clipboards.send(field.value);
    notices.say(words.sent);
    field.value = '';
  };
  return element('div', { class: 'menu-form' }, field, button(words.send, send, 'primary'));
}
