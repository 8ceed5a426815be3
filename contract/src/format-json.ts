/** JSON for people: what fits on a line stays on it, and the rest has one field per line. */

const width = 100;

/** `before`: how many characters stand before the value on its line, after the indentation. */
export function formatJson(value: unknown, indent = '', before = 0): string {
  const line = onOneLine(value);
  const isShort = indent.length + before + line.length < width;
  if (typeof value !== 'object' || value === null || isShort) return line;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const lines = Object.entries(value).map(([key, item]) => {
    const name = isList ? '' : `${JSON.stringify(key)}: `;
    return `${inner}${name}${formatJson(item, inner, name.length)}`;
  });
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

/** With spaces inside braces and after separators, but never inside texts. */
function onOneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  const fields = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${onOneLine(item)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
