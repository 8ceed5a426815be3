/** The language of the words beside this file, for numbers, dates and lists between them. */

export const language = 'en';

const counted = new Intl.NumberFormat(language);

/** A number as people read it. */
export const numeral = (value: number): string => counted.format(value);
