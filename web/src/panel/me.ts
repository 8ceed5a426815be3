/** Who is signed in, and what they may do. */
import { computed, signal } from '@preact/signals';
import { applyAccent } from '../ui/accent.ts';
import { get, setCsrf, whenSignedOut, type OutputOf } from './api.ts';
import { subscribeToTopic, startEventStream, stopEventStream } from './live.ts';
import { createPace } from './pace.ts';
import { PanelApiError } from './refusal.ts';

export type Me = OutputOf<'me'>['data'];

/** Undefined while it is not known, null when nobody is signed in. */
export const me = signal<Me | null | undefined>(undefined);
/** Why it could not be learned. */
export const meError = signal<unknown>(undefined);

/** How far the server's clock is ahead of this machine's, in seconds. */
let ahead = 0;
export const serverNow = (): number => Math.floor(Date.now() / 1_000 + ahead);

export async function loadMe(background = false): Promise<void> {
  try {
    const { data } = await get('me', {}, { background });
    setCsrf(data.csrf);
    ahead = data.now - Date.now() / 1_000;
    applyAccent(data.brand.accent);
    // Pages ask for what they show once they would hear of its changes.
    await startEventStream(forgetMe, () => void loadMe(true));
    me.value = data;
    meError.value = undefined;
  } catch (error) {
    if (error instanceof PanelApiError && error.code === 'signed_out') forgetMe();
    else meError.value = error;
  }
}

export function forgetMe(): void {
  stopEventStream();
  setCsrf('');
  me.value = null;
}

whenSignedOut(forgetMe);
subscribeToTopic('me', () => void loadMe(true));

/** In which groups one may change something stands here too: of a new one it is not known yet. */
const askingAgain = createPace({
  now: () => performance.now(),
  ask: async () => void (me.value && (await loadMe(true))),
});
subscribeToTopic('groups', () => askingAgain.soon());

/** The person who is signed in, for pages that are shown only then. */
export const person = computed((): Me => {
  if (!me.value) throw new Error('nobody is signed in');
  return me.value;
});

export const mayTeam = (permission: string): boolean => person.value.team.includes(permission);
export const maySupport = (permission: string): boolean => person.value.support.includes(permission);
export const seesInvitations = (): boolean =>
  maySupport('quick_support_technical') || maySupport('quick_support_admin');
