/** Writes CSV for spreadsheets (RFC 4180). Text from other people is escaped so that no spreadsheet runs it as a formula. */

/** Tells spreadsheets that the text is UTF-8. */
export const byteOrderMark = '\ufeff';

/**
 * Matches where a spreadsheet would start a formula: at the start of a cell, and after a character that separates cells in
 * some locales, with or without quotes around it.
 */
const formula = /(?<=^|[;\t\r\n])(?="*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

const cell = (value: string | number): string => {
  const text = typeof value === 'number' ? String(value) : value.replace(formula, "'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

export const csvLine = (cells: readonly (string | number)[]): string => `${cells.map(cell).join(',')}\r\n`;
