/** The chat: everybody who is connected and the person at the device read what is said, under the name the server knows. */
import { decodeMessage, encodeMessage } from '@drawbridge/contract/session/messages';
import type { Desktop } from '../../platform/desktop.ts';
import type { Platform } from '../../platform/platform.ts';
import { misshapen } from '../misshapen.ts';
import type { Leg, PartOf } from '../part.ts';
import { plainText } from '../plain-text.ts';

/** Those who chat on a device. */
const rooms = new WeakMap<Platform, Set<Leg>>();

function roomOf(platform: Platform): Set<Leg> {
  const room = rooms.get(platform) ?? new Set<Leg>();
  rooms.set(platform, room);
  return room;
}

const longest = 4_096;

export const chat: PartOf = (leg) => {
  const room = roomOf(leg.platform);
  let opening: Promise<Desktop> | undefined;
  const open = async (): Promise<Desktop> => {
    const desktop = await leg.platform.desktop();
    desktop.onClose(() => void (opening = undefined));
    return desktop;
  };
  const tell = (to: Iterable<Leg>, name: string, text: string): void => {
    for (const each of to)
      each.send('chat', encodeMessage('chat', { name: name.slice(0, 320), text: text.slice(0, longest) }));
  };
  const reply = async (text: string): Promise<void> => tell(room, (await leg.platform.facts()).os_user, text);

  return {
    hear: {
      async chat(payload) {
        const { text } = decodeMessage('chat', payload) ?? misshapen('chat');
        const { name } = leg.operator;
        tell(
          [...room].filter((each) => each !== leg),
          name,
          text,
        );
        opening ??= open();
        opening.catch(() => void (opening = undefined));
        await (await opening).chat(name, plainText(text), (said) => void reply(said));
      },
    },
    start: () => void room.add(leg),
    async stop() {
      room.delete(leg);
      (await opening?.catch(() => undefined))?.close();
    },
  };
};
