/** The character NUL, which no text may contain: PostgreSQL cannot store it, and programs written in C end at it. */

export const hasNul = (text: string): boolean => text.includes('\0');

/** Completes a sentence. */
export const nulPredicate = 'must not contain the character NUL (U+0000)';
