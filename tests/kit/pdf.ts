/** A PDF with one line of text on each page. */

export function createPdf(...lines: string[]): Buffer {
  const numbers = lines.map((_, index) => 4 + 2 * index);
  const pages = lines.flatMap((line, index) => {
    const drawing = `BT /F1 24 Tf 72 700 Td (${line}) Tj ET`;
    return [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${numbers[index]! + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    ];
  });
  const kids = numbers.map((number) => `${number} 0 R`).join(' ');
  return joinObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${lines.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages,
  ]);
}

/** Objects are numbered from 1. */
function joinObjects(objects: readonly string[]): Buffer {
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(body + table + trailer, 'latin1');
}
