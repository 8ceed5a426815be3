/** Size limits of a brand's logo. They are separate from its schema so that the page does not have to include zod. */

export const maxLogoBytes = 131_072;
/** Width and height in pixels. */
export const maxLogoSide = 1_024;
