/** The black screen: the person at the device sees nothing and can do nothing while the operator works; it ends with the session. */
import { readWord } from '@drawbridge/contract/session/words';
import { misshapen } from '../misshapen.ts';
import type { PartOf } from '../part.ts';

export const shield: PartOf = (leg) => {
  let lower: (() => Promise<void>) | undefined;
  /** One after the other: a shield that is being raised is not raised again. */
  let queue: Promise<void> = Promise.resolve();

  const raise = async (): Promise<void> => {
    if (lower) return;
    const desktop = await leg.platform.desktop();
    try {
      const undo = await desktop.shield();
      lower = async () => {
        lower = undefined;
        await undo();
        desktop.close();
      };
      leg.log(`${leg.operator.name} blacked out the screen`);
    } catch (error) {
      desktop.close();
      throw error;
    }
  };
  const next = (work: () => Promise<void> | undefined): Promise<void> => {
    const done = queue.then(work);
    queue = done.catch(() => {});
    return done;
  };

  return {
    hear: {
      shield(payload) {
        const { on } = readWord('shield', payload) ?? misshapen('shield');
        return next(on ? raise : () => lower?.());
      },
    },
    stop: () => next(() => lower?.()),
  };
};
