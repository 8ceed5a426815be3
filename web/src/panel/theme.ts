/** Light or dark: as the system says, unless somebody chose. */
import { signal } from '@preact/signals';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const place = 'drawbridge.theme';

function read(): Theme {
  try {
    return themes.find((each) => each === localStorage.getItem(place)) ?? 'system';
  } catch {
    return 'system'; // storage may be turned off
  }
}

export const theme = signal<Theme>(read());

const show = (): void => {
  document.documentElement.style.colorScheme = theme.value === 'system' ? '' : theme.value;
};
show();

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  show();
  try {
    localStorage.setItem(place, chosen);
  } catch {
    // It holds until the page is closed.
  }
}
