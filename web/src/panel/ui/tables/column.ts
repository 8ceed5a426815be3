/** The type of a table column. */
import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  /** Heading; empty for a column of buttons. */
  title: string;
  render: (row: Row) => ComponentChildren;
  /** A CSS grid track size; an equal share when absent. */
  width?: string;
  /** Hidden on a narrow screen. */
  wideOnly?: boolean;
}
