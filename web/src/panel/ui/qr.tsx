/** Renders a text as a QR code. */
import { generate } from 'lean-qr';
import { useMemo } from 'preact/hooks';

/** The quiet zone around the code, in modules: scanners need it to find the code. */
const margin = 3;

function outline(text: string): { size: number; path: string } {
  const code = generate(text);
  let path = '';
  for (let y = 0; y < code.size; y++)
    for (let x = 0; x < code.size; x++) if (code.get(x, y)) path += `M${x + margin} ${y + margin}h1v1h-1z`;
  return { size: code.size + 2 * margin, path };
}

export function Qr({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => outline(text), [text]);
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
