/** What people see of whose panel it is. */
import type { Brand } from '@drawbridge/contract/brand';
import { brandView } from '../../domain/brand.ts';
import type { PanelContext } from '../handler.ts';

/** The brand of the account; before it is known who somebody is, that of the server's first account. */
export const brandOf = async (
  { store: { brands } }: Pick<PanelContext, 'store'>,
  accountId?: number,
): Promise<Brand> => brandView(await (accountId === undefined ? brands.ofServer() : brands.of(accountId)));
