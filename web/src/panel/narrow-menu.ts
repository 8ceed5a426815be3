/** The main menu on a narrow screen: it covers the page, which is inert until the menu is closed. */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';

export const isMenuOpen = signal(false);
/** The element that had the focus before the menu opened. */
let opener: Element | null = null;

export function openMenu(): void {
  opener = document.activeElement;
  isMenuOpen.value = true;
}

export const closeMenu = (): void => void (isMenuOpen.value = false);

/** On a wide screen the menu is beside the content; the style sheet uses the same width. */
matchMedia('(max-width: 860px)').addEventListener('change', closeMenu);

/** Ref for the menu element: moves the focus into the menu while it is open, and restores it afterwards. */
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
      // If the user navigated, the heading of the new page already has the focus.
      const isThere = document.activeElement?.closest('main');
      if (!isThere && opener instanceof HTMLElement) opener.focus();
    };
  }, [isOpen]);
  return menuRef;
}
