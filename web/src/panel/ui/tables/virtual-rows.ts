/** List virtualization: of a long list, only the rows within the page's viewport are rendered. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { overscanPx, visibleRows } from './visible-rows.ts';

/** Lists up to this length are rendered in full. */
export const defaultMaxUnvirtualized = 200;

/** After a jump beyond all rendered rows, only the visible ones are rendered until scrolling has paused for this long. */
const settleMs = 100;

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
      : visibleRows({ count, rowHeight, above: 0, height: innerHeight, overscan: overscanPx }),
  );
  useEffect(() => {
    if (count <= maxUnvirtualized) return setRange({ first: 0, last: count });
    let rendered = range;
    let settled: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      clearTimeout(settled);
      const above = -(containerRef.current?.getBoundingClientRect().top ?? 0);
      const place = { count, rowHeight, above, height: innerHeight };
      const next = visibleRows({ ...place, overscan: overscanPx });
      if (rendered.first === next.first && rendered.last === next.last) return;
      const isJump = next.first >= rendered.last || next.last <= rendered.first;
      if (isJump) settled = setTimeout(look, settleMs);
      setRange((rendered = isJump ? visibleRows({ ...place, overscan: 0 }) : next));
    };
    look();
    addEventListener('scroll', look, { passive: true, capture: true });
    addEventListener('resize', look);
    return () => {
      clearTimeout(settled);
      removeEventListener('scroll', look, { capture: true });
      removeEventListener('resize', look);
    };
  }, [count, rowHeight, maxUnvirtualized]);
  return { containerRef, first: Math.min(range.first, count), last: Math.min(range.last, count) };
}
