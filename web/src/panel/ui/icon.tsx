/** A picture beside a word; those who do not see it miss nothing. */
import { outlineOf, type IconName } from '../../ui/icons.ts';

export type { IconName };

export const Icon = ({ name, filled = false }: { name: IconName; filled?: boolean }) => (
  <svg viewBox="0 0 24 24" class={filled ? 'icon filled' : 'icon'} aria-hidden="true">
    <path d={outlineOf(name)} />
  </svg>
);
