/** The main menu on a narrow page: it lies over the page, which can not be reached until it is closed again. */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';

export const isMenuOpen = signal(false);
/** Where the focus was before. */
let opener: Element | null = null;

export function openMenu(): void {
  opener = document.activeElement;
  isMenuOpen.value = true;
}

export const closeMenu = (): void => void (isMenuOpen.value = false);

/** On a wide page it stands beside the content; the style sheet says the same. */
matchMedia('(max-width: 860px)').addEventListener('change', closeMenu);

/** Lent to the menu: it takes the focus while it is open, and gives it back to where it was. */
export function useNarrowMenu(): RefObject<HTMLElement | null> {
  const menuRef = useRef<HTMLElement>(null);
  const isOpen = isMenuOpen.value;
  useEffect(() => {
    const menu = menuRef.current;
    if (!isOpen || !menu) return;
    const listen = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') closeMenu();
    };
    document.addEventListener('keydown', listen);
    (menu.querySelector<HTMLElement>('[aria-current]') ?? menu.querySelector('a'))?.focus();
    return () => {
      document.removeEventListener('keydown', listen);
      // Whoever has gone to another page is at its heading by now.
      const isThere = document.activeElement?.closest('main');
      if (!isThere && opener instanceof HTMLElement) opener.focus();
    };
  }, [isOpen]);
  return menuRef;
}
