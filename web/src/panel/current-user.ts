/** Who is signed in, and what they may do. */
import { computed, signal } from '@preact/signals';
import { applyAccent } from '../ui/accent.ts';
import { get, setCsrf, whenSignedOut, type OutputOf } from './api.ts';
import { subscribeToTopic, startEventStream, stopEventStream } from './event-stream.ts';
import { createRefreshScheduler } from './refresh-scheduler.ts';
import { PanelApiError } from './panel-api-error.ts';

export type CurrentUser = OutputOf<'me'>['data'];

/** Undefined while loading, null when nobody is signed in. */
export const currentUser = signal<CurrentUser | null | undefined>(undefined);
/** Why the last load failed. */
export const currentUserError = signal<unknown>(undefined);

/** How far the server's clock is ahead of this machine's, in seconds. */
let clockOffset = 0;
export const serverNow = (): number => Math.floor(Date.now() / 1_000 + clockOffset);

export async function loadCurrentUser(background = false): Promise<void> {
  try {
    const { data } = await get('me', {}, { background });
    setCsrf(data.csrf);
    clockOffset = data.now - Date.now() / 1_000;
    applyAccent(data.brand.accent);
    // Pages load their data only after the stream is open, so that they miss no change.
    await startEventStream(clearCurrentUser, () => void loadCurrentUser(true));
    const wasSignedOut = !currentUser.value;
    currentUser.value = data;
    if (wasSignedOut) otherTabs.postMessage('signed in');
    currentUserError.value = undefined;
  } catch (error) {
    if (error instanceof PanelApiError && error.code === 'signed_out') clearCurrentUser();
    else currentUserError.value = error;
  }
}

export function clearCurrentUser(): void {
  stopEventStream();
  setCsrf('');
  currentUser.value = null;
}

/** A tab that shows the sign-in page follows when somebody signs in in another tab. */
const otherTabs = new BroadcastChannel('drawbridge.sign-in');
otherTabs.addEventListener('message', () => {
  if (currentUser.value === null) void loadCurrentUser();
});

whenSignedOut(clearCurrentUser);
subscribeToTopic('me', () => void loadCurrentUser(true));

/** The user's data lists the groups that they may change, so a new group requires a refresh. */
const userRefresher = createRefreshScheduler({
  now: () => performance.now(),
  refresh: async () => void (currentUser.value && (await loadCurrentUser(true))),
});
subscribeToTopic('groups', () => userRefresher.schedule());

/** The signed-in user, for pages that are shown only to signed-in users. */
export const signedInUser = computed((): CurrentUser => {
  if (!currentUser.value) throw new Error('nobody is signed in');
  return currentUser.value;
});

export const mayInTeam = (permission: string): boolean => signedInUser.value.team.includes(permission);
export const mayInSupport = (permission: string): boolean => signedInUser.value.support.includes(permission);
export const maySeeInvitations = (): boolean =>
  mayInSupport('quick_support_technical') || mayInSupport('quick_support_admin');
