/** Makes text and names from elsewhere safe to show: nothing in them hides, reorders or breaks other text. */

/** Characters that change the direction of the text after them. */
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const loneSurrogates = /\p{Cs}/gu;
const controls = /(?![\n\t])\p{Cc}/gu;
const lineEnds = /\r\n?|[\p{Zl}\p{Zp}]/gu;
const replacement = '\ufffd';

/** Keeps line breaks; removes control characters and direction marks, and replaces lone surrogates. */
export const readableText = (text: string): string =>
  text
    .replace(lineEnds, '\n')
    .replace(controls, '')
    .replace(directionMarks, '')
    .replace(loneSurrogates, replacement);

/**
 * Characters that are invisible or move others: controls, formats, line ends, blank letters.
 * Joiners are part of many scripts and emoji, so they are kept between characters outside ASCII.
 */
const invisible =
  /(?!(?<=[^\0-\x7f])[\u200c\u200d](?=[^\0-\x7f]))[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]/gu;
const spaces = /\p{Zs}/gu;
const outerSpaces = /^ +| +$/g;

/** Returns one line with a visible sign for each invisible character, so that the name looks like no other. */
export const readableName = (name: string): string =>
  name
    .replace(invisible, replacement)
    .replace(spaces, ' ')
    .replace(outerSpaces, (some) => '␣'.repeat(some.length));
