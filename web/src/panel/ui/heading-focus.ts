/** Whoever goes to another page goes on at its heading: there the keyboard begins, and a screen reader says where one is. */
import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';
import { currentUser } from '../current-user.ts';
import { path } from '../router.ts';

/** The path of the page that was shown last; undefined before the first, of which the browser tells by itself. */
let lastPath: string | undefined;
/** Where the focus was when the path changed. */
let focusBefore: Element | null = null;

path.subscribe(() => (focusBefore = document.activeElement));

/** Whoever has just signed in comes from somewhere else, though the path may be the same. */
effect(() => {
  if (currentUser.value === null) lastPath = '';
});

/** The new page may have taken the focus to where something is to be done, or somebody was quicker. */
const isFocusElsewhere = (): boolean => {
  const { activeElement } = document;
  return (
    activeElement !== focusBefore && (activeElement?.closest('main, dialog, [popover]') ?? null) !== null
  );
};

/** Lent to the heading of a page. */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const hasNavigated = lastPath !== undefined && lastPath !== path.value;
    lastPath = path.value;
    if (hasNavigated && !isFocusElsewhere()) heading.current?.focus({ preventScroll: true });
  }, [path.value]);
  return heading;
}
