/** The sign-in methods and the brand of this server; loaded once. */
import { signal } from '@preact/signals';
import { applyAccent } from '../../ui/accent.ts';
import { get, type OutputOf } from '../api.ts';

type Options = OutputOf<'sign-in/options'>['data'];

/** Used until the options are loaded: the page works without them. */
const defaultOptions: Options = { passkeys: false, mail: false, brand: { name: '', logo: '', accent: '' } };

export const signInOptions = signal(defaultOptions);
let isRequested = false;

export async function loadSignInOptions(): Promise<void> {
  if (isRequested) return;
  isRequested = true;
  try {
    const { data } = await get('sign-in/options', {}, { background: true });
    signInOptions.value = data;
    applyAccent(data.brand.accent);
  } catch {
    // The page works without the options, and loads them when it is next shown.
    isRequested = false;
  }
}
