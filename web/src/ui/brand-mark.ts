/** The mark of an account on a page: its logo and its name, or those of the product. */
import type { Brand } from '@drawbridge/contract/brand';
import { element } from './element.ts';
import { icon } from './icons.ts';

/** The alternative text is empty, because the name follows and screen readers would read it twice. */
export const brandMark = ({ name, logo }: Pick<Brand, 'name' | 'logo'>, product: string): Element[] => [
  logo ? element('img', { class: 'logo', src: logo, alt: '' }) : icon('bridge'),
  element('span', { dir: 'auto' }, name || product),
];
