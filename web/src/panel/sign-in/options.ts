/** In which ways one can sign in here, and whose service it is; asked for once. */
import { signal } from '@preact/signals';
import { applyAccent } from '../../ui/accent.ts';
import { get, type OutputOf } from '../api.ts';

type Options = OutputOf<'sign-in/options'>['data'];

/** What is assumed while it is not known: the page can be used without it. */
const defaultOptions: Options = { passkeys: false, mail: false, brand: { name: '', logo: '', accent: '' } };

export const signInOptions = signal(defaultOptions);
let isAsked = false;

export async function loadSignInOptions(): Promise<void> {
  if (isAsked) return;
  isAsked = true;
  try {
    const { data } = await get('sign-in/options', {}, { background: true });
    signInOptions.value = data;
    applyAccent(data.brand.accent);
  } catch {
    isAsked = false; // the page can be used without it, and asks again when it is shown again
  }
}
