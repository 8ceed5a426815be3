/** The type of a table column, and the class of its cells. */
import type { ComponentChildren } from 'preact';

/** The class of the cells and the heading of a column. */
export function cellClass({
  title,
  width,
  wideOnly,
}: Pick<Column<never>, 'title' | 'width' | 'wideOnly'>): string | undefined {
  const isSizedByContent = width === undefined || width.includes('max-content');
  return (
    [wideOnly && 'wide-only', isSizedByContent && 'by-content', title === '' && 'buttons']
      .filter(Boolean)
      .join(' ') || undefined
  );
}

export interface Column<Row> {
  /** Heading; empty for a column of buttons. */
  title: string;
  render: (row: Row) => ComponentChildren;
  /** A CSS grid track size; by default the first column takes the space that is left, and others fit their content. */
  width?: string;
  /** Hidden on a narrow screen. */
  wideOnly?: boolean;
  /** Identifies the column in what people chose for the table. */
  id?: string;
  /** The value by which rows are sorted; rows cannot be sorted by a column without it. */
  sortBy?: (row: Row) => string | number;
  /** A text as wide as the widest content of a column that is not sorted by a text. */
  widest?: string;
  /** Whether the column is shown until a person chooses; a column without it is always shown. */
  choice?: 'shown' | 'hidden';
}
