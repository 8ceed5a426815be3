/** Which rows of something long are in sight of the page's own scroll bar: only those are drawn. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { rowsInSight } from './rows-in-sight.ts';

/** Fewer are simply drawn. */
export const few = 200;

interface Sight {
  /** The element that the rows are in. */
  place: RefObject<HTMLDivElement | null>;
  first: number;
  last: number;
}

/** `most`: up to how many rows are all drawn. */
export function useSight(count: number, rowHeight: number, most = few): Sight {
  const place = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState(() =>
    count <= most
      ? { first: 0, last: count }
      : rowsInSight({ count, rowHeight, above: 0, height: innerHeight }),
  );
  useEffect(() => {
    if (count <= most) return setRange({ first: 0, last: count });
    const look = (): void => {
      const above = -(place.current?.getBoundingClientRect().top ?? 0);
      const next = rowsInSight({ count, rowHeight, above, height: innerHeight });
      setRange((before) => (before.first === next.first && before.last === next.last ? before : next));
    };
    look();
    addEventListener('scroll', look, { passive: true, capture: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look, { capture: true });
      removeEventListener('resize', look);
    };
  }, [count, rowHeight, most]);
  return { place, first: Math.min(range.first, count), last: Math.min(range.last, count) };
}
