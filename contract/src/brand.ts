/** What people see of whose service it is: a name, a picture and a colour. Data, never code. */
import * as z from 'zod';

export const brand = z.object({
  name: z.string(),
  logo: z.string().describe('Address of the picture; empty when there is none'),
  accent: z.string().describe('A colour like #1f6feb; empty when it is the usual one'),
});
export type Brand = z.output<typeof brand>;

/** Where pictures are served, by their digest. */
export const brandPath = '/brand/';
