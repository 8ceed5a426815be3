/** The chat: everybody who is connected and the person at the device read what is said, under the name the server knows. */
import { decodeMessage, encodeMessage } from '@drawbridge/contract/session/messages';
import type { Desktop } from '../../platform/desktop.ts';
import type { Platform } from '../../platform/platform.ts';
import { misshapen } from '../misshapen.ts';
import type { FeatureContext, FeatureFactory } from '../feature.ts';
import { plainText } from '../plain-text.ts';

/** Those who chat on a device. */
const rooms = new WeakMap<Platform, Set<FeatureContext>>();

function roomOf(platform: Platform): Set<FeatureContext> {
  const room = rooms.get(platform) ?? new Set<FeatureContext>();
  rooms.set(platform, room);
  return room;
}

const longest = 4_096;

export const chatFeature: FeatureFactory = (context) => {
  const room = roomOf(context.platform);
  let opening: Promise<Desktop> | undefined;
  const open = async (): Promise<Desktop> => {
    const desktop = await context.platform.desktop();
    desktop.onClose(() => void (opening = undefined));
    return desktop;
  };
  const tell = (to: Iterable<FeatureContext>, name: string, text: string): void => {
    for (const each of to)
      each.send('chat', encodeMessage('chat', { name: name.slice(0, 320), text: text.slice(0, longest) }));
  };
  const reply = async (text: string): Promise<void> =>
    tell(room, (await context.platform.facts()).os_user, text);

  return {
    handlers: {
      async chat(payload) {
        const { text } = decodeMessage('chat', payload) ?? misshapen('chat');
        const { name } = context.operator;
        tell(
          [...room].filter((each) => each !== context),
          name,
          text,
        );
        opening ??= open();
        opening.catch(() => void (opening = undefined));
        await (await opening).chat(name, plainText(text), (said) => void reply(said));
      },
    },
    start: () => void room.add(context),
    async stop() {
      room.delete(context);
      (await opening?.catch(() => undefined))?.close();
    },
  };
};
