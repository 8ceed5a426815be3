/** The chat: every connected operator and the person at the device see each message, with the name that the server knows. */
import type { Desktop } from '../../platform/desktop.ts';
import type { Platform } from '../../platform/platform.ts';
import type { FeatureContext, FeatureFactory } from '../feature.ts';
import { plainText } from '../plain-text.ts';

/** The sessions that take part in the chat of a device. */
const chatContexts = new WeakMap<Platform, Set<FeatureContext>>();

function chatContextsOf(platform: Platform): Set<FeatureContext> {
  const contexts = chatContexts.get(platform) ?? new Set<FeatureContext>();
  chatContexts.set(platform, contexts);
  return contexts;
}

const maxLength = 4_096;

export const chatFeature: FeatureFactory = (context) => {
  const contexts = chatContextsOf(context.platform);
  let opening: Promise<Desktop> | undefined;
  const open = async (): Promise<Desktop> => {
    const desktop = await context.platform.desktop();
    desktop.onClose(() => void (opening = undefined));
    return desktop;
  };
  const tell = (to: Iterable<FeatureContext>, name: string, text: string): void => {
    for (const each of to) each.send('chat', { name: name.slice(0, 320), text: text.slice(0, maxLength) });
  };
  const reply = async (text: string): Promise<void> =>
    tell(contexts, (await context.platform.facts()).os_user, text);

  return {
    handlers: {
      async chat(payload) {
        const { text } = payload;
        const { name } = context.operator;
        tell(
          [...contexts].filter((each) => each !== context),
          name,
          text,
        );
        opening ??= open();
        opening.catch(() => void (opening = undefined));
        await (await opening).chat(name, plainText(text), (said) => void reply(said));
      },
    },
    start: () => void contexts.add(context),
    async stop() {
      contexts.delete(context);
      (await opening?.catch(() => undefined))?.close();
    },
  };
};
