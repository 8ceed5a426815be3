/** A column of a table. */
import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  /** Heading; empty for a column of buttons. */
  title: string;
  render: (row: Row) => ComponentChildren;
  /** A width as CSS writes it in a grid; an equal share when absent. */
  width?: string;
  /** Left out on a narrow page. */
  wideOnly?: boolean;
}
