/** The black screen of the device, never but as the device itself tells it; raised anew when the connection was lost. */
import type { RemoteSession } from '../session/session.ts';
import { consoleTexts } from './texts.ts';

const { actions: texts } = consoleTexts;

export interface BlackOut {
  /** Whether the device says that its screen is black; undefined where it does not say. */
  readonly isUp: boolean | undefined;
  request(on: boolean): void;
}

export interface BlackOutOptions {
  session: RemoteSession;
  show(text: string, look?: 'bad'): void;
  changed(): void;
}

/** What the operator counts on: nothing, a screen that is black, or one that has to become so again. */
type BlackOutState = 'none' | 'black' | 'leaving' | 'lost' | 'asked';
type BlackOutEvent = 'ours' | 'not_ours' | 'refused' | 'cut' | 'dropped';

/** Row: what is counted on. Column: what happens. Cell: where that leads. An absent cell changes nothing. */
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
    const tells = people.some(({ shield }) => shield !== undefined);
    update(tells ? people.some(({ shield }) => shield) : undefined);
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
