/** The share section: the two options to get help, or the screen that is being shared. */
import { button } from '../ui/button.ts';
import { element, fill } from '../ui/element.ts';
import { icon, type IconName } from '../ui/icons.ts';
import { codeText } from './cards.ts';
import type { ScreenShare } from './screen/screen-share.ts';
import { joinTexts } from './texts.ts';
import type { ClientSession } from './client-session.ts';

export interface PageSection {
  element: HTMLElement;
  refresh(): void;
}

const mirrorWidth = 640;

export function createShareSection(client: ClientSession, program: () => void): PageSection {
  const section = element('section', { class: 'share' });
  let drawn: string | undefined;
  let refused = false;
  const start = async (): Promise<void> => {
    refused = !(await client.startSharing());
    refresh();
  };
  const refresh = (): void => {
    // Redrawn only after a change, so that a button does not vanish while the person is about to press it.
    const { share, owner } = client;
    const now = JSON.stringify([share !== undefined, refused, owner]);
    if (now === drawn) return;
    drawn = now;
    if (share) fill(section, ...sharing(share, client.stopSharing));
    else fill(section, ...choosing(client, refused, () => void start(), program));
  };
  return { element: section, refresh };
}

function choosing(
  { owner, browser, code }: ClientSession,
  refused: boolean,
  start: () => void,
  program: () => void,
): HTMLElement[] {
  const { options: texts, handheld } = joinTexts;
  const about = element(
    'div',
    { class: 'about' },
    element('p', { class: 'quiet' }, joinTexts.invitedBy),
    element('h1', { dir: 'auto' }, owner),
    codeText(code),
  );
  if (browser.isHandheld) return [about, optionCard('view', handheld.title, handheld.text)];
  return [
    about,
    element('h2', {}, texts.title),
    element(
      'div',
      { class: 'share-options' },
      optionCard(
        'view',
        texts.share,
        texts.shareText,
        browser.canShare && button(texts.shareDo, start, 'primary large'),
        refused && element('p', { class: 'bad', role: 'alert' }, joinTexts.sharing.refused),
        element('p', { class: 'quiet small' }, browser.canShare ? texts.shareHint : texts.shareNone),
      ),
      optionCard('terminal', texts.program, texts.programText, button(texts.programDo, program, 'large')),
    ),
  ];
}

const optionCard = (
  picture: IconName,
  title: string,
  text: string,
  ...more: readonly (HTMLElement | false)[]
): HTMLElement =>
  element(
    'article',
    { class: 'box share-option' },
    element('h3', {}, icon(picture), title),
    element('p', {}, text),
    ...more,
  );

/** Shows the person what the operators see. */
function sharing(share: ScreenShare, stop: () => void): HTMLElement[] {
  const { sharing: texts } = joinTexts;
  const mirror = element('canvas', { class: 'mirror', role: 'img', 'aria-label': texts.picture });
  const context = mirror.getContext('2d', { alpha: false })!;
  share.onTick(() => {
    const { picture } = share;
    if (!picture || document.hidden) return;
    const scale = Math.min(1, mirrorWidth / picture.width);
    const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
    if (mirror.width !== width || mirror.height !== height) [mirror.width, mirror.height] = [width, height];
    context.drawImage(picture.source, 0, 0, width, height);
  });
  return [
    element(
      'section',
      { class: 'box sharing' },
      element('h1', { class: 'on' }, icon('view'), texts.title),
      mirror,
      element('p', {}, texts.text),
      element('div', { class: 'row' }, button(texts.stop, stop)),
    ),
  ];
}
