/** Draws text and filled boxes in the agent's windows. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { wrapText } from '../../panes/wrap-text.ts';
import type { Pane } from '../../panes/pane.ts';
import type { Handle, WindowsApi } from '../api/windows-api.ts';

export interface Painter extends Pick<Pane, 'lineHeight' | 'widthOf' | 'wrap' | 'fill' | 'write'> {
  /** Draws into a window while `draw` runs. */
  paint(window: Handle, draw: () => void): void;
  close(): void;
}

const leading = 4;
const [fontHeight, largestFontHeight, usualDpi] = [16, 26, 96];
const [normalWeight, defaultCharset, clearType] = [400, 1, 5];
/** The stock brush whose colour can be changed. */
const colouredBrush = 18;
/** Size of PAINTSTRUCT. */
const paintBytes = 72;

export function openPainter(api: WindowsApi): Painter {
  const font = createFont(api);
  const brush = api.GetStockObject(colouredBrush);
  const measuring = api.CreateCompatibleDC(0);
  api.SelectObject(measuring, font);
  const metrics = Buffer.alloc(64);
  api.GetTextMetricsW(measuring, metrics);
  let context: Handle = 0;
  const widthOf = (text: string): number => {
    const size = Buffer.alloc(8);
    api.GetTextExtentPoint32W(measuring, text, text.length, size);
    return size.readInt32LE();
  };
  return {
    lineHeight: metrics.readInt32LE() + leading,
    widthOf,
    wrap: (text, width) => wrapText(text, width, widthOf),
    fill(colour, box) {
      api.SetDCBrushColor(context, toColorRef(colour));
      api.FillRect(context, rectangle(box), brush);
    },
    write({ foreground, background }, { x, y }, text) {
      api.SetTextColor(context, toColorRef(foreground));
      api.SetBkColor(context, toColorRef(background));
      api.TextOutW(context, x, y + leading / 2, text, text.length);
    },
    paint(window, draw) {
      const paint = Buffer.alloc(paintBytes);
      context = api.BeginPaint(window, paint);
      const before = api.SelectObject(context, font);
      draw();
      api.SelectObject(context, before);
      api.EndPaint(window, paint);
    },
    close() {
      api.DeleteDC(measuring);
      api.DeleteObject(font);
    },
  };
}

/** As large as the scale of the screen says, within what the buttons have space for. */
function createFont(api: WindowsApi): Handle {
  const height = Math.min(largestFontHeight, Math.round((fontHeight * api.GetDpiForSystem()) / usualDpi));
  const style = [0, 0, 0, normalWeight, 0, 0, 0, defaultCharset, 0, 0, clearType, 0] as const;
  return api.CreateFontW(-height, ...style, 'Segoe UI');
}

/** Windows puts blue first. */
const toColorRef = (colour: number): number =>
  ((colour & 0xff) << 16) | (colour & 0xff00) | ((colour >> 16) & 0xff);

function rectangle({ x, y, width, height }: Box): Buffer {
  const bytes = Buffer.alloc(16);
  [x, y, x + width, y + height].forEach((value, index) => bytes.writeInt32LE(value, 4 * index));
  return bytes;
}
