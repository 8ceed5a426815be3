/** Which statements are worth keeping prepared: those whose text comes again. */

const longest = 2_000;

/** A list of values makes another text for every length of it; a list that is itself selected does not. */
const hasValues = / in \((?!select )/;

export const isWorthKeeping = (text: string): boolean => text.length <= longest && !hasValues.test(text);
