/** How large the logo of a brand may be. Apart from its schema, so that the page need not carry that. */

export const maxLogoBytes = 131_072;
/** Pixels, in each direction. */
export const maxLogoSide = 1_024;
