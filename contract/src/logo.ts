/** How large the logo of a brand may be. Apart from its schema, so that the page need not carry that. */

export const mostLogoBytes = 131_072;
/** Pixels, in each direction. */
export const mostLogoSide = 1_024;
