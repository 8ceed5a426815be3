/** The brand mark of the page: the brand of the account once it is known, the product's until then. */
import type { Brand } from '@drawbridge/contract/brand';
import { applyAccent } from '../ui/accent.ts';
import { element, fill } from '../ui/element.ts';
import { icon } from '../ui/icons.ts';
import { joinTexts } from './texts.ts';

export interface BrandMark {
  element: HTMLElement;
  /** Shows a brand; showing the same brand again does nothing. */
  show(brand: Brand | undefined): void;
}

export function createBrandMark(): BrandMark {
  const mark = element('span', { class: 'brand' }, icon('bridge'), element('span', {}, joinTexts.product));
  let shown: string | undefined;
  return {
    element: mark,
    show(brand) {
      const known = JSON.stringify(brand);
      if (!brand || shown === known) return;
      shown = known;
      applyAccent(brand.accent);
      if (brand.name) document.title = `${joinTexts.pageTitle} · ${brand.name}`;
      fill(
        mark,
        brand.logo ? logoOf(brand) : icon('bridge'),
        element('span', { dir: 'auto' }, brand.name || joinTexts.product),
      );
    },
  };
}

/** The alternative text is empty, because the name follows and screen readers would read it twice. */
const logoOf = ({ logo }: Brand): HTMLElement => element('img', { class: 'logo', src: logo, alt: '' });
