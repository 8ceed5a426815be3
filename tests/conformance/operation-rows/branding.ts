/** Test rows: the brand. */
import type { branding } from '@drawbridge/contract/v1/branding';
import { pngOf } from '../../kit/display/logo.ts';
import { uniqueText } from '../resources.ts';
import { nothing } from './requests.ts';
import type { FurtherRow, RowsOf } from './row.ts';
import { needsBrandAdmin } from './rules.ts';

export const brandingRows: RowsOf<typeof branding, FurtherRow> = {
  'branding/info': { signature: 'GET query plain', request: nothing, outcome: needsBrandAdmin },
  'branding/update': {
    signature: 'POST body numbered name accent',
    request: async () => ({ name: `new ${uniqueText()}`, accent: '#1f6feb' }),
    outcome: needsBrandAdmin,
    emptyName: true,
  },
  'branding/logo': {
    signature: 'POST query numbered',
    request: nothing,
    file: pngOf(4, 4),
    outcome: needsBrandAdmin,
  },
  'branding/logo/remove': { signature: 'POST body numbered', request: nothing, outcome: needsBrandAdmin },
};
