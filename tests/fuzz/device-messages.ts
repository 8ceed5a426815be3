/** A device that is admitted, and then sends messages that fit, almost fit, or are malformed. */
import { openRogueDevice } from '../kit/hostile/rogue-device.ts';
import { oddTexts } from './corpus.ts';
import type { SeededRandom } from './seeded-random.ts';
import { deviceMessage } from './sockets.ts';
import type { FuzzFixture } from './fixture.ts';

/** Closed with this code, the service itself has failed. */
const failed = 1_011;

/** Whether it was admitted, or what was wrong with the server's reaction. */
export async function sendAsDevice(
  server: string,
  fixture: FuzzFixture,
  random: SeededRandom,
): Promise<'entered' | 'sent away' | `it ${string}`> {
  await using rogue = await openRogueDevice(server, { key: random.pick(fixture.devices) });
  const words = Array.from({ length: random.whole(1, 6) }, () =>
    random.oneIn(9)
      ? random.pick([random.pick(oddTexts), Buffer.from(random.pick(oddTexts))])
      : deviceMessage(fixture, random),
  );
  const entered = await rogue.hello({ token: fixture.secrets['token']![0]! }).then(
    (asked) => {
      rogue.prove(asked);
      return rogue.next('welcome').then(
        () => true,
        () => false,
      );
    },
    () => false,
  );
  if (entered) words.forEach((word) => rogue.send(word));
  rogue.socket.close();
  const { code } = await rogue.closed;
  if (code === failed) return `it closed the socket of a device with ${code}`;
  return entered ? 'entered' : 'sent away';
}
