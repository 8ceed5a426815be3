/** The colour theme: light, dark, or the system's setting, which is the default. */
import { signal } from '@preact/signals';
import { readStored, writeStored } from './stored-values.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storageKey = 'drawbridge.theme';

export const theme = signal<Theme>(themes.find((each) => each === readStored(storageKey)) ?? 'system');

/** The colour of the window around the page follows the scheme of the page, not that of the system. */
function windowColourMedia(scheme: string): string {
  if (theme.value === 'system') return `(prefers-color-scheme: ${scheme})`;
  return theme.value === scheme ? 'all' : 'not all';
}

const applyTheme = (): void => {
  document.documentElement.style.colorScheme = theme.value === 'system' ? '' : theme.value;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]'))
    meta.media = windowColourMedia(meta.dataset['scheme'] ?? '');
};
applyTheme();

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  applyTheme();
  writeStored(storageKey, chosen);
}
