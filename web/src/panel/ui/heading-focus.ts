/**
 * After navigation the heading of the new page gets the focus: keyboard users start there, and screen readers read
 * it.
 */
import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';
import { currentUser } from '../current-user.ts';
import { path } from '../router.ts';

/** The path of the last page; undefined before the first page, which the browser announces itself. */
let lastPath: string | undefined;
/** The element that had the focus when the path changed. */
let focusBefore: Element | null = null;

path.subscribe(() => (focusBefore = document.activeElement));

/** Signing in counts as navigation, although the path may stay the same. */
effect(() => {
  if (currentUser.value === null) lastPath = '';
});

/** The new page may have focused one of its fields, or the user moved the focus themselves. */
const isFocusElsewhere = (): boolean => {
  const { activeElement } = document;
  return (
    activeElement !== focusBefore && (activeElement?.closest('main, dialog, [popover]') ?? null) !== null
  );
};

/** Ref for the heading of a page. */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const hasNavigated = lastPath !== undefined && lastPath !== path.value;
    lastPath = path.value;
    if (hasNavigated && !isFocusElsewhere()) heading.current?.focus({ preventScroll: true });
  }, [path.value]);
  return heading;
}
