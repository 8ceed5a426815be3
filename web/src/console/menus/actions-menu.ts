/** The menu of actions on the whole device: lock, black out, reboot, ask to install the agent. */
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import { askInDialog } from '../../ui/ask-in-dialog.ts';
import { readableName } from '../../ui/readable-text.ts';
import { menu, type MenuItem } from '../../ui/menu.ts';
import type { ConsoleContext } from '../console-context.ts';
import { isOffered, whyUnable } from '../offers.ts';
import { consoleTexts } from '../texts.ts';

const { actions: texts } = consoleTexts;

interface Action {
  kind: FrameKindName;
  text: string;
  checked?: (context: ConsoleContext) => boolean;
  unable?: (context: ConsoleContext) => string | undefined;
  run(context: ConsoleContext): void;
}

const actions: readonly Action[] = [
  {
    kind: 'lock',
    text: texts.lock,
    run({ session, notices }) {
      if (session.send('lock', {})) notices.show(texts.locked);
    },
  },
  {
    kind: 'shield',
    text: texts.shield,
    checked: ({ blackOut }) => blackOut.isUp === true,
    unable: ({ blackOut }) => (blackOut.isUp === undefined ? texts.shieldUnknown : undefined),
    run: ({ blackOut }) => blackOut.request(blackOut.isUp !== true),
  },
  { kind: 'reboot', text: texts.reboot, run: (context) => void reboot(context) },
  {
    kind: 'install',
    text: texts.install,
    run({ session, notices }) {
      if (session.send('install', { message: texts.installMessage })) notices.show(texts.installSent);
    },
  },
];

/** Only Windows has a safe mode. */
const hasSafeMode = (os: string): boolean => os === 'win';

async function reboot({ session }: ConsoleContext): Promise<void> {
  const safely = { text: texts.rebootSafe, answer: true, look: '' };
  const safe = await askInDialog({
    title: texts.rebootTitle(readableName(session.device.name)),
    text: texts.rebootText,
    answers: [
      ...(hasSafeMode(session.device.os) ? [safely] : []),
      { text: texts.rebootNormal, answer: false, look: 'danger' },
    ],
    cancel: consoleTexts.cancel,
  });
  if (safe !== undefined) session.send('reboot', { safe });
}

/** Returns undefined when the session offers none of the actions. */
export function actionsMenu(context: ConsoleContext): HTMLElement | undefined {
  const { session } = context;
  const offered = actions.filter(({ kind }) => isOffered(session, kind));
  if (offered.length === 0) return undefined;
  return menu({ icon: 'more', title: texts.title, label: texts.title }, () => [
    {
      items: offered.map(({ kind, text, checked, unable, run }): MenuItem => ({
        text,
        unable: whyUnable(session, kind) ?? unable?.(context),
        ...(checked && { checked: checked(context) }),
        choose: () => run(context),
      })),
    },
  ]);
}
