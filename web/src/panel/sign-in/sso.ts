/** Leaves for an identity provider, and reads with what the browser returned. */
import { post } from '../api.ts';
import { matchPath } from '../router.ts';
import { readStored, writeStored } from '../stored-values.ts';

const nameKey = 'drawbridge.sso-name';
const returnKey = 'drawbridge.sso-return';

/** The sign-in name that was used last in this browser; empty without one. */
export const lastSignInName = (): string => readStored(nameKey) ?? '';

/** Sends the browser to the provider with this sign-in name; it returns to the page where it was. */
export async function leaveToSignIn(name: string, returnTo: string): Promise<void> {
  const { url } = await post('sign-in/sso/begin', { name });
  writeStored(nameKey, name);
  writeStored(returnKey, returnTo);
  location.assign(url);
}

/** The page where the sign-in began, once. */
export function takeReturnPath(): string {
  const path = readStored(returnKey) ?? '';
  writeStored(returnKey, '');
  return path.startsWith('/panel/') && !path.startsWith('/panel/sso/') ? path : '/panel';
}

export async function leaveToConnect(id: number): Promise<void> {
  location.assign((await post('me/sso/begin', { id })).url);
}

/** The sign-in name of the provider from which the browser returned to this address; undefined at other addresses. */
export const returnedFrom = (address: string): string | undefined =>
  matchPath('/panel/sso/:name/return', address)?.['name'];

/** What the browser was sent away for: the state begins with it. */
export type SsoPurpose = 'sso' | 'sso_link' | 'sso_confirm';

export function purposeOf(response: string): SsoPurpose {
  const [kind] = (new URLSearchParams(response).get('state') ?? '').split('.');
  return kind === 'sso_link' || kind === 'sso_confirm' ? kind : 'sso';
}

/** Tells the window that waits for a confirmation. */
const confirmations = 'drawbridge.sso-confirmed';

export function announceConfirmation(): void {
  const channel = new BroadcastChannel(confirmations);
  channel.postMessage('confirmed');
  channel.close();
}

/** Resolves when the person has confirmed in the other window. */
function untilConfirmed(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const channel = new BroadcastChannel(confirmations);
  channel.addEventListener('message', () => {
    channel.close();
    resolve();
  });
  return promise;
}

/** Opens a window in which the person authenticates again; false if the browser blocks it. */
export async function confirmAtProvider(id: number): Promise<boolean> {
  // Opened before anything is awaited: browsers allow it only as a direct result of a click.
  const opened = window.open('about:blank', '', 'popup,width=520,height=680');
  if (!opened) return false;
  const confirmed = untilConfirmed();
  try {
    opened.location.href = (await post('me/confirm/sso/begin', { id })).url;
  } catch (error) {
    opened.close();
    throw error;
  }
  await confirmed;
  return true;
}
