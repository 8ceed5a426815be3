/** The black-out of the device: shows only what the device reports, and restores it after a lost connection. */
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { consoleTexts } from './texts.ts';

const { actions: texts } = consoleTexts;

export interface BlackOut {
  /** Whether the device reports that its screen is black; undefined when it does not report it. */
  readonly isUp: boolean | undefined;
  request(on: boolean): void;
}

export interface BlackOutOptions {
  session: RemoteSession;
  show(text: string, look?: 'bad'): void;
  changed(): void;
}

/**
 * What the operator relies on. `leaving`: they asked to end the black-out. `lost`: the connection was lost during it.
 * `asked`: the page asked the device to restore it.
 */
type BlackOutState = 'none' | 'black' | 'leaving' | 'lost' | 'asked';
type BlackOutEvent = 'ours' | 'not_ours' | 'refused' | 'cut' | 'dropped';

/** Row: the current state. Column: the event. Cell: the next state. An absent cell changes nothing. */
const transitions: Record<BlackOutState, Partial<Record<BlackOutEvent, BlackOutState>>> = {
  none: { ours: 'black' },
  black: { not_ours: 'none', cut: 'lost', dropped: 'leaving' },
  leaving: { not_ours: 'none', refused: 'black', cut: 'none' },
  lost: { ours: 'black', not_ours: 'asked' },
  asked: { ours: 'black', refused: 'none', cut: 'lost', dropped: 'leaving' },
};

export function createBlackOut({ session, show, changed }: BlackOutOptions): BlackOut {
  let isUp: boolean | undefined;
  let current: BlackOutState = 'none';

  const handleEvent = (event: BlackOutEvent): void => {
    const [before, after] = [current, transitions[current][event] ?? current];
    current = after;
    if (before === after) return;
    if (after === 'none' && before !== 'leaving') show(texts.shieldDown, 'bad');
    if (after === 'black' && before === 'asked') show(texts.shieldAgain);
    if (after === 'asked' && !session.send('shield', { on: true })) handleEvent('refused');
  };
  const update = (next: boolean | undefined): void => {
    if (next === isUp) return;
    isUp = next;
    changed();
  };

  session.on('people', ({ people }) => {
    const isReported = people.some(({ shield }) => shield !== undefined);
    update(isReported ? people.some(({ shield }) => shield) : undefined);
    handleEvent(people.some(({ you, shield }) => you && shield) ? 'ours' : 'not_ours');
  });
  session.on('refused', ({ kind }) => kind === 'shield' && handleEvent('refused'));
  session.onChange(() => {
    if (session.state.phase === 'live') return;
    update(undefined);
    handleEvent('cut');
  });
  return {
    get isUp() {
      return isUp;
    },
    request(on) {
      if (!on) handleEvent('dropped');
      session.send('shield', { on });
    },
  };
}
