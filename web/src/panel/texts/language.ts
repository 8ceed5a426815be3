/** The language of the texts in this folder, and the formatting of numbers in it. */

export const language = 'en';

const counted = new Intl.NumberFormat(language);

/** Formats a number in the language of the texts. */
export const numeral = (value: number): string => counted.format(value);
