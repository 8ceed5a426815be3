/** The brand of an account as people see it: a name, a logo and a colour. It is data and never contains code. */
import * as z from 'zod';

export const brand = z.object({
  name: z.string(),
  logo: z.string().describe('Address of the picture; empty when there is none'),
  accent: z.string().describe('A colour like #1f6feb; empty when it is the usual one'),
});
export type Brand = z.output<typeof brand>;

/** Logos are served below this path, named by their digest. */
export const brandPath = '/brand/';
