/** Pagination: which items of a list are on which page. */

export interface PageRange {
  /** The numbers of the first and last items shown, counted from 1; 0 when the list is empty. */
  first: number;
  last: number;
  page: number;
  pages: number;
}

export function toPageRange(total: number, size: number, wanted: number): PageRange {
  const pages = Math.max(1, Math.ceil(total / size));
  const page = Math.min(Math.max(1, wanted), pages);
  const before = (page - 1) * size;
  return { first: total === 0 ? 0 : before + 1, last: Math.min(before + size, total), page, pages };
}
