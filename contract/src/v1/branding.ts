/** The brand of the account. Not part of the reference, but in the same style. */
import * as z from 'zod';
import { brand } from '../brand.ts';
import { brandName } from '../fields.ts';
import { emptyObject, operations, team } from '../operation.ts';

const needs = [team('team_brand_admin')] as const;
const status = { ok: 0, invalid: 1, internal: 2, forbidden: 8 } as const;

export const branding = operations({
  'branding/info': {
    method: 'GET',
    says: 'Show the name, the logo and the colour that people see in the panel and on the page of quick support.',
    input: emptyObject,
    output: z.object({ data: brand }),
    needs,
    status: { ok: null, forbidden: null },
  },
  'branding/update': {
    method: 'POST',
    says: 'Change the name and the colour; what is not sent stays as it is.',
    input: z.object({
      name: brandName.optional().describe('Shown in the place of Drawbridge; empty for the usual one'),
      accent: z
        .string()
        .regex(/^(#[0-9a-fA-F]{6})?$/, 'must be a colour such as #1f6feb, or empty')
        .optional()
        .describe('A colour such as #1f6feb; empty for the usual one'),
    }),
    output: emptyObject,
    needs,
    status,
  },
  'branding/logo': {
    method: 'POST',
    says: 'Set the logo: a PNG, JPEG or WebP picture of at most 128 KiB and 1024 by 1024 pixels.',
    from: 'query',
    body: 'bytes',
    input: emptyObject,
    output: z.object({ logo: z.string().describe('Address of the picture') }),
    needs,
    status,
  },
  'branding/logo/remove': {
    method: 'POST',
    says: 'Remove the logo.',
    input: emptyObject,
    output: emptyObject,
    needs,
    status,
  },
});
