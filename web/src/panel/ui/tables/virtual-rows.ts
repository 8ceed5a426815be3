/** List virtualization: of a long list, only the rows within the page's viewport are rendered. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { visibleRows } from './visible-rows.ts';

/** Lists up to this length are rendered in full. */
export const defaultMaxUnvirtualized = 200;

interface VirtualRows {
  /** The element that contains the rows. */
  containerRef: RefObject<HTMLDivElement | null>;
  first: number;
  last: number;
}

/** Lists of up to `maxUnvirtualized` rows are rendered in full. */
export function useVirtualRows(
  count: number,
  rowHeight: number,
  maxUnvirtualized = defaultMaxUnvirtualized,
): VirtualRows {
  const containerRef = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState(() =>
    count <= maxUnvirtualized
      ? { first: 0, last: count }
      : visibleRows({ count, rowHeight, above: 0, height: innerHeight }),
  );
  useEffect(() => {
    if (count <= maxUnvirtualized) return setRange({ first: 0, last: count });
    const look = (): void => {
      const above = -(containerRef.current?.getBoundingClientRect().top ?? 0);
      const next = visibleRows({ count, rowHeight, above, height: innerHeight });
      setRange((before) => (before.first === next.first && before.last === next.last ? before : next));
    };
    look();
    addEventListener('scroll', look, { passive: true, capture: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look, { capture: true });
      removeEventListener('resize', look);
    };
  }, [count, rowHeight, maxUnvirtualized]);
  return { containerRef, first: Math.min(range.first, count), last: Math.min(range.last, count) };
}
