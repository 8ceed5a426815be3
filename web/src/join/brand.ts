/** Whose page it is: the brand of the account, once it is known, and ours until then. */
import type { Brand } from '@drawbridge/contract/brand';
import { applyAccent } from '../ui/accent.ts';
import { element, fill } from '../ui/element.ts';
import { icon } from '../ui/icons.ts';
import { joinTexts } from './texts.ts';

export interface BrandMark {
  element: HTMLElement;
  /** Shows this one; the same once more changes nothing. */
  show(brand: Brand | undefined): void;
}

export function createBrandMark(): BrandMark {
  const place = element('span', { class: 'brand' }, icon('bridge'), element('span', {}, joinTexts.product));
  let shown: string | undefined;
  return {
    element: place,
    show(brand) {
      const known = JSON.stringify(brand);
      if (!brand || shown === known) return;
      shown = known;
      applyAccent(brand.accent);
      if (brand.name) document.title = `${joinTexts.pageTitle} · ${brand.name}`;
      fill(
        place,
        brand.logo ? logoOf(brand) : icon('bridge'),
        element('span', { dir: 'auto' }, brand.name || joinTexts.product),
      );
    },
  };
}

/** The name stands beside it: for those who hear the page it is said once. */
const logoOf = ({ logo }: Brand): HTMLElement => element('img', { class: 'logo', src: logo, alt: '' });
