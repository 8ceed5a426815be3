/** Which rows of something long are in sight of the page's own scroll bar: only those are drawn. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Drawn beyond the edges, so that quick scrolling shows no holes. */
const beyondPx = 600;
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
  const [range, setRange] = useState(() => ({
    first: 0,
    last: count <= most ? count : Math.min(count, Math.ceil((innerHeight + beyondPx) / rowHeight)),
  }));
  useEffect(() => {
    if (count <= most) return setRange({ first: 0, last: count });
    const beyond = Math.ceil(beyondPx / rowHeight);
    const look = (): void => {
      const top = -(place.current?.getBoundingClientRect().top ?? 0);
      const first = Math.max(0, Math.floor(top / rowHeight) - beyond);
      const last = Math.min(count, Math.ceil((top + innerHeight) / rowHeight) + beyond);
      setRange((before) => (before.first === first && before.last === last ? before : { first, last }));
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
