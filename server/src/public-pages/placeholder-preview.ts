/** The placeholder for missing pictures: an empty screen. */
import type { PageResponse } from '../http/route.ts';

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180" viewBox="0 0 320 180">
<rect width="320" height="180" fill="#dfe3e8"/>
<rect x="110" y="52" width="100" height="62" rx="4" fill="none" stroke="#9aa5b1" stroke-width="4"/>
<path d="M140 128h40M160 114v14" stroke="#9aa5b1" stroke-width="4" stroke-linecap="round"/>
</svg>
`;

export const placeholderPreview: PageResponse = {
  http: 200,
  type: 'image/svg+xml',
  body: drawing,
  headers: { 'Content-Security-Policy': "default-src 'none'" },
};
