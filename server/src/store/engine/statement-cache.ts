/** Which statements are worth keeping prepared: those whose text comes again. */

const maxTextLength = 2_000;

/** A list of values makes another text for every length of it; a list that is itself selected does not. */
const valueList = / in \((?!select )/;

export const isCacheable = (text: string): boolean => text.length <= maxTextLength && !valueList.test(text);
