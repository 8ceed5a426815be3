/** Shows only the titles of rows that pass too fast to be read, because to render whole rows would take longer than a frame. */
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import type { RowRange } from './visible-rows.ts';

interface PassingRows {
  /** The element that shows the titles, above the rows. */
  passingRef: RefObject<HTMLDivElement | null>;
  showPassing: (range?: RowRange) => void;
}

/** The rendered rows stay where they are, out of view, until scrolling slows down. */
export function usePassingRows(rowHeight: number, titleAt: (index: number) => string): PassingRows {
  const passingRef = useRef<HTMLDivElement>(null);
  const latest = useRef(titleAt);
  latest.current = titleAt;
  const showPassing = (range?: RowRange): void => {
    const element = passingRef.current;
    if (!element || (!range && element.hidden)) return;
    element.hidden = !range;
    if (!range) return;
    const titles = Array.from({ length: range.last - range.first }, (_, index) =>
      latest.current(range.first + index),
    );
    element.textContent = titles.join('\n');
    element.style.transform = `translateY(${range.first * rowHeight}px)`;
  };
  return { passingRef, showPassing };
}
