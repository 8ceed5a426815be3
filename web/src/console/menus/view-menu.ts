/** The view menu: size, monitor, quality, view only. */
import { menu, type MenuItem, type MenuPart } from '../../ui/menu.ts';
import type { ConsoleContext, PictureQuality } from '../console-context.ts';
import { bestSize, type RemoteScreenSize } from '../screen/best-size.ts';
import { mayUse } from '../offers.ts';
import { consoleTexts } from '../texts.ts';

const { view: texts } = consoleTexts;

interface KeyboardLock {
  keyboard?: { lock?(): Promise<void>; unlock?(): void };
}

/** In full screen, browsers with the Keyboard Lock API pass keys such as Alt+Tab to the page. */
async function toggleFullScreen(): Promise<void> {
  const { keyboard } = navigator as KeyboardLock;
  if (document.fullscreenElement) {
    keyboard?.unlock?.();
    return document.exitFullscreen();
  }
  await document.documentElement.requestFullscreen();
  await keyboard?.lock?.();
}

export const viewMenu = (context: ConsoleContext): HTMLElement =>
  menu(
    { icon: 'view', title: texts.title, label: texts.title },
    () => [
      { heading: texts.size },
      { items: sizeItems(context) },
      ...monitorParts(context),
      { heading: texts.quality },
      { items: (['auto', 'sharp', 'fast'] as const).map((quality) => qualityItem(context, quality)) },
      ...sizeParts(context),
      ...controlParts(context),
    ],
    context.screen.onLayout,
  );

const sizeItems = ({ viewport, focus }: ConsoleContext): MenuItem[] => [
  ...(['fit', 'original'] as const).map((mode) => ({
    text: texts[mode],
    checked: viewport.mode === mode,
    choose() {
      viewport.mode = mode;
      focus();
    },
  })),
  {
    text: document.fullscreenElement ? texts.leaveFullScreen : texts.fullScreen,
    choose: () => void toggleFullScreen().finally(focus),
  },
];

function monitorParts({ screen, monitors: choice }: ConsoleContext): MenuPart[] {
  const { monitors = [], current } = screen.layout ?? {};
  if (monitors.length < 2) return [];
  const item = (monitor: number, text: string, hint?: string): MenuItem => ({
    text,
    hint,
    checked: current === monitor,
    choose: () => choice.choose(monitor),
  });
  const each = monitors.map(({ name, width, height }, index) =>
    item(index, texts.monitor(index + 1, name), `${width} × ${height}`),
  );
  const windows = monitors.map(({ name }) => ({
    text: texts.monitorWindow(name),
    checked: choice.hasWindow(name),
    choose: () => choice.toggleWindow(name),
  }));
  return [{ heading: texts.monitors }, { items: [item(-1, texts.allMonitors), ...each] }, { items: windows }];
}

const qualityItem = ({ choices, session, onChoice }: ConsoleContext, quality: PictureQuality): MenuItem => ({
  text: texts[quality],
  checked: choices.quality === quality,
  choose() {
    choices.quality = quality;
    session.send('view', { quality });
    onChoice();
  },
});

const sizeText = ({ width, height }: RemoteScreenSize): string => `${width} × ${height}`;

/** The sizes that the screen of the device can have, the largest first. */
function remoteSizeItems({ session, screen, viewport }: ConsoleContext): MenuItem[] {
  const { sizes = [], original, monitors = [] } = screen.layout ?? {};
  const isCurrent = ({ width, height }: RemoteScreenSize): boolean =>
    monitors.length === 1 && monitors[0]!.width === width && monitors[0]!.height === height;
  const named = (text: string, size: RemoteScreenSize | undefined, unable: string): MenuItem => ({
    text,
    hint: size && sizeText(size),
    unable: size ? undefined : unable,
    choose: () => size && session.send('resize', size),
  });
  return [
    named(texts.toWindow, bestSize(sizes, viewport.pixelSize()), texts.noSizes),
    named(texts.asItWas, original, texts.sizeUnchanged),
    ...sizes
      .toSorted((a, b) => b.width * b.height - a.width * a.height)
      .map((size) => ({
        text: sizeText(size),
        checked: isCurrent(size),
        choose: () => void session.send('resize', { width: size.width, height: size.height }),
      })),
  ];
}

const sizeParts = (context: ConsoleContext): MenuPart[] =>
  mayUse(context.session, 'resize')
    ? [{ heading: texts.remoteSize }, { items: remoteSizeItems(context) }]
    : [];

function controlParts({ choices, onChoice, session }: ConsoleContext): MenuPart[] {
  if (!mayUse(session, 'pointer')) return [];
  return [
    { heading: texts.control },
    {
      items: [
        {
          text: consoleTexts.bar.viewOnly,
          checked: choices.viewOnly,
          choose() {
            choices.viewOnly = !choices.viewOnly;
            onChoice();
          },
        },
      ],
    },
  ];
}
