/** A decorative icon beside a text, hidden from screen readers. */
import { outlineOf, type IconName } from '../../ui/icons.ts';

export type { IconName };

export const Icon = ({ name, filled = false }: { name: IconName; filled?: boolean }) => (
  <svg viewBox="0 0 24 24" class={filled ? 'icon filled' : 'icon'} aria-hidden="true">
    <path d={outlineOf(name)} />
  </svg>
);
