/** Light or dark: as the system says, unless somebody chose. */
import { signal } from '@preact/signals';
import { recall, remember } from './kept.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const place = 'drawbridge.theme';

export const theme = signal<Theme>(themes.find((each) => each === recall(place)) ?? 'system');

const show = (): void => {
  document.documentElement.style.colorScheme = theme.value === 'system' ? '' : theme.value;
};
show();

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  show();
  remember(place, chosen);
}
