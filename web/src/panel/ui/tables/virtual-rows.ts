/** List virtualization: of a long list, only the rows within the page's viewport are rendered. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { minOverscanPx, overscanPx, visibleRows, type RowRange } from './visible-rows.ts';

/** Lists up to this length are rendered in full. */
export const defaultMaxUnvirtualized = 200;

/** After a jump beyond all rendered rows, only the visible ones are rendered until scrolling has paused for this long. */
const settleMs = 100;

interface VirtualRowsOptions {
  count: number;
  rowHeight: number;
  /** Lists of up to this many rows are rendered in full. */
  maxUnvirtualized?: number | undefined;
  /** Called instead of rendering while one jump follows another, and without a range when that has ended. */
  showPassing?: (range?: RowRange) => void;
}

interface VirtualRows extends RowRange {
  /** The element that contains the rows. */
  containerRef: RefObject<HTMLDivElement | null>;
}

export function useVirtualRows(options: VirtualRowsOptions): VirtualRows {
  const { count, rowHeight, maxUnvirtualized = defaultMaxUnvirtualized } = options;
  const containerRef = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState(() =>
    count <= maxUnvirtualized
      ? { first: 0, last: count }
      : visibleRows({ count, rowHeight, above: 0, height: innerHeight, overscan: 0 }),
  );
  useEffect(
    () =>
      count <= maxUnvirtualized
        ? setRange({ first: 0, last: count })
        : followScrolling({ ...options, rendered: range, containerRef, render: setRange }),
    [count, rowHeight, maxUnvirtualized],
  );
  return { containerRef, first: Math.min(range.first, count), last: Math.min(range.last, count) };
}

interface Following extends VirtualRowsOptions, Pick<VirtualRows, 'containerRef'> {
  rendered: RowRange;
  render: (range: RowRange) => void;
}

/** Renders the rows that scrolling brings near the viewport, until the returned function is called. */
function followScrolling({ count, rowHeight, containerRef, render, showPassing, ...start }: Following) {
  let { rendered } = start;
  let lastAbove = 0;
  let settled: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    const isAfterJump = settled !== undefined;
    clearTimeout(settled);
    settled = undefined;
    const above = -(containerRef.current?.getBoundingClientRect().top ?? 0);
    const isFast = isAfterJump && Math.abs(above - lastAbove) >= innerHeight;
    lastAbove = above;
    const place = { count, rowHeight, above, height: innerHeight };
    const near = visibleRows({ ...place, overscan: minOverscanPx });
    if (near.first >= rendered.first && near.last <= rendered.last) return showPassing?.();
    const isJump = near.first >= rendered.last || near.last <= rendered.first;
    const next = visibleRows({ ...place, overscan: isJump ? 0 : overscanPx });
    if (isJump) settled = setTimeout(settle, settleMs);
    if (isJump && isFast && showPassing) return showPassing(next);
    showPassing?.();
    render((rendered = next));
  };
  const settle = (): void => {
    settled = undefined;
    look();
  };
  look();
  addEventListener('scroll', look, { passive: true, capture: true });
  addEventListener('resize', look);
  return () => {
    clearTimeout(settled);
    showPassing?.();
    removeEventListener('scroll', look, { capture: true });
    removeEventListener('resize', look);
  };
}
