/** Pagination links: each page of a list has its own address. */
import type { ComponentChildren } from 'preact';
import { toPageRange } from '../../page-range.ts';
import { path, query } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { numeral } from '../../texts/language.ts';
import { Icon } from '../icon.tsx';

const { pager: texts } = t.common;

interface PagerProps {
  total: number;
  size: number;
  page: number;
}

/** The first page has no `page` parameter. */
function hrefOf(page: number): string {
  const next = new URLSearchParams(query.value);
  next.set('page', String(page));
  if (page === 1) next.delete('page');
  return `${path.value}${next.size === 0 ? '' : `?${next.toString()}`}`;
}

export function Pager({ total, size, page: wanted }: PagerProps) {
  const { first, last, page, pages } = toPageRange(total, size, wanted);
  if (pages === 1) return null;
  const step = (to: number, title: string, look: string) => (
    <a
      class={`icon-button ${look}`}
      role="link"
      {...(to !== page && { href: hrefOf(to) })}
      tabIndex={0}
      aria-disabled={to === page ? 'true' : undefined}
      aria-label={title}
      title={title}
    >
      <Icon name="next" />
      {(to === 1 || to === pages) && look.includes('far') && <Icon name="next" />}
    </a>
  );
  return (
    <nav class="pager" aria-label={texts.label}>
      {step(1, texts.first, 'back far')}
      {step(Math.max(1, page - 1), texts.previous, 'back')}
      <span role="status">{texts.range(numeral(first), numeral(last), numeral(total))}</span>
      {step(Math.min(pages, page + 1), texts.next, '')}
      {step(pages, texts.last, 'far')}
    </nav>
  );
}

interface PagedListProps<Item> {
  items: readonly Item[];
  size: number;
  children: (shown: readonly Item[]) => ComponentChildren;
}

/** Shows one page of a list that is completely loaded. */
export function PagedList<Item>({ items, size, children }: PagedListProps<Item>) {
  const wanted = Math.trunc(Number(query.value.get('page'))) || 1;
  const { first, last, page } = toPageRange(items.length, size, wanted);
  return (
    <>
      {children(items.slice(Math.max(0, first - 1), last))}
      <Pager total={items.length} size={size} page={page} />
    </>
  );
}
