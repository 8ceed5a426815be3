/** Decides which prepared statements are worth caching: those whose text recurs. */

const maxTextLength = 2_000;

/** A list of values changes the text with its length; a subquery does not. */
const valueList = / in \((?!select )/;

export const isCacheable = (text: string): boolean => text.length <= maxTextLength && !valueList.test(text);
