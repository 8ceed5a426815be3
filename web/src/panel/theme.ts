/** The colour theme: light, dark, or the system's setting, which is the default. */
import { signal } from '@preact/signals';
import { readStored, writeStored } from './stored-values.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storageKey = 'drawbridge.theme';

export const theme = signal<Theme>(themes.find((each) => each === readStored(storageKey)) ?? 'system');

const applyTheme = (): void => {
  document.documentElement.style.colorScheme = theme.value === 'system' ? '' : theme.value;
};
applyTheme();

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  applyTheme();
  writeStored(storageKey, chosen);
}
