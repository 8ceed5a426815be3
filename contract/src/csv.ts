/** Tables as text for spreadsheets (RFC 4180), in which nothing that somebody else wrote is taken for a formula. */

/** Tells spreadsheets that the text is UTF-8. */
export const byteOrderMark = '\ufeff';

/**
 * What a spreadsheet reads as the beginning of a formula: at the start of a cell, and also after a sign that ends a cell in
 * some countries' spreadsheets, whatever quotes stand around it.
 */
const formula = /(?<=^|[;\t\r\n])(?="*[=+\-@\t\r＝＋－＠])/g;

const cell = (value: string | number): string => {
  const text = typeof value === 'number' ? String(value) : value.replace(formula, "'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

export const csvLine = (cells: readonly (string | number)[]): string => `${cells.map(cell).join(',')}\r\n`;
