/** The brand mark of the page: the brand of the account once it is known, the product's until then. */
import { brand as brandShape, type Brand } from '@drawbridge/contract/brand';
import { parseAs } from '@drawbridge/contract/parse';
import { applyAccent } from '../ui/accent.ts';
import { element, fill } from '../ui/element.ts';
import { brandMark } from '../ui/brand-mark.ts';
import { joinTexts } from './texts.ts';

export interface BrandMark {
  element: HTMLElement;
  /** Shows a brand; showing the same brand again does nothing. */
  show(brand: Brand | undefined): void;
}

export function createBrandMark(): BrandMark {
  const mark = element('span', { class: 'brand' }, ...brandMark({ name: '', logo: '' }, joinTexts.product));
  let shown: string | undefined;
  return {
    element: mark,
    show(brand) {
      const known = JSON.stringify(brand);
      if (!brand || shown === known) return;
      shown = known;
      applyAccent(brand.accent);
      document.title = `${joinTexts.pageTitle} · ${brand.name || joinTexts.product}`;
      fill(mark, ...brandMark(brand, joinTexts.product));
    },
  };
}

/** The brand of the server, for a page that does not know yet who invites; undefined if it cannot be loaded. */
export async function loadServerBrand(): Promise<Brand | undefined> {
  try {
    const response = await fetch('/panel/api/sign-in/options');
    const { data } = (await response.json()) as { data?: { brand?: unknown } };
    return parseAs(brandShape, data?.brand).data;
  } catch {
    return undefined;
  }
}
