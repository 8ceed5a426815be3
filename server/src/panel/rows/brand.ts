/** The brand that the panel shows. */
import type { Brand } from '@drawbridge/contract/brand';
import { brandView } from '../../domain/people/brand.ts';
import type { PanelContext } from '../handler.ts';

/** The brand of the account; before signing in, that of the server's first account. */
export const brandOf = async (
  { store: { brands } }: Pick<PanelContext, 'store'>,
  accountId?: number,
): Promise<Brand> => brandView(await (accountId === undefined ? brands.ofServer() : brands.of(accountId)));
