/** Text and names from elsewhere, made fit to be shown: nothing in them hides, reorders or breaks what is read. */

/** Turns the direction of text, up to where it is turned back or the paragraph ends. */
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const loneSurrogates = /\p{Cs}/gu;
const controls = /(?![\n\t])\p{Cc}/gu;
const lineEnds = /\r\n?|[\p{Zl}\p{Zp}]/gu;
const replacement = '\ufffd';

/** In lines; what is no character, or can only mislead, is left out. */
export const readableText = (text: string): string =>
  text
    .replace(lineEnds, '\n')
    .replace(controls, '')
    .replace(directionMarks, '')
    .replace(loneSurrogates, replacement);

/**
 * What can not be seen, or makes others be seen elsewhere: controls and formats, ends of lines, letters without a shape.
 * The joiners are part of words and signs of many scripts, but not of those in ASCII.
 */
const invisible =
  /(?!(?<=[^\0-\x7f])[\u200c\u200d](?=[^\0-\x7f]))[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]/gu;
const spaces = /\p{Zs}/gu;
const outerSpaces = /^ +| +$/g;

/** In one line; what can not be seen has a sign in its place, so that a name with it looks like no other. */
export const readableName = (name: string): string =>
  name
    .replace(invisible, replacement)
    .replace(spaces, ' ')
    .replace(outerSpaces, (some) => '␣'.repeat(some.length));
