/** Runs on Windows: a block that switches between red and blue with every click, because clicks under Wine reach only its own windows. */
import { createWindow } from '@drawbridge/agent/platform/windows/create-window';
import {
  loadWindowsApi,
  type Handle,
  type WindowsApi,
} from '@drawbridge/agent/platform/windows/api/windows-api';
import { desktopArea } from '@drawbridge/agent/platform/windows/screen/bitmap';
import { blue, clickBlock, red } from './marks.ts';

const styles = { popup: 0x8000_0000, visible: 0x1000_0000, notify: 0x100 } as const;
const extendedStyles = { topmost: 0x8, toolWindow: 0x80, noActivate: 0x0800_0000 } as const;
const messages = { paint: 0x0f, press: 0x201, doublePress: 0x203 } as const;
/** Size of MSG, and the offset of the kind of message. */
const message = { bytes: 48, kind: 8 } as const;
/** The stock brush whose colour can be changed. */
const colouredBrush = 18;
const paintBytes = 72;

function openBlock(api: WindowsApi): Handle {
  const { width, height } = desktopArea(api);
  const { side, inset } = clickBlock;
  return createWindow(api, {
    style: styles.popup | styles.visible | styles.notify,
    extendedStyle: extendedStyles.topmost | extendedStyles.toolWindow | extendedStyles.noActivate,
    box: { x: width - inset, y: height - inset, width: side, height: side },
  });
}

/** A colour of Windows has blue first. */
const toColorRef = (colour: number): number => ((colour & 0xff) << 16) | (colour >> 16);

function paint(api: WindowsApi, window: Handle, colour: number): void {
  const paintStruct = Buffer.alloc(paintBytes);
  const context = api.BeginPaint(window, paintStruct);
  const rectangle = Buffer.alloc(16);
  rectangle.writeInt32LE(clickBlock.side, 8);
  rectangle.writeInt32LE(clickBlock.side, 12);
  api.SetDCBrushColor(context, toColorRef(colour));
  api.FillRect(context, rectangle, api.GetStockObject(colouredBrush));
  api.EndPaint(window, paintStruct);
}

/** Waits for the next message without polling. The further parameters are those that Wine needs, as in `windows-api.ts`. */
function openMessageQueue({ koffi }: WindowsApi): (bytes: Buffer) => void {
  const padding = Array<number>(8).fill(0);
  const further = padding.map(() => 'int64').join(', ');
  const next = koffi
    .load('user32.dll')
    .func(`int __stdcall GetMessageW(void*, uintptr, uint, uint, ${further})`);
  return (bytes) => void next(bytes, 0, 0, 0, ...padding);
}

async function run(): Promise<void> {
  const api = await loadWindowsApi();
  const window = openBlock(api);
  const next = openMessageQueue(api);
  const bytes = Buffer.alloc(message.bytes);
  let colour = red;
  paint(api, window, colour);
  console.log('The block is shown.');
  for (;;) {
    next(bytes);
    const kind = bytes.readUInt32LE(message.kind);
    if (kind === messages.paint) {
      paint(api, window, colour);
      continue;
    }
    if (kind === messages.press || kind === messages.doublePress) {
      colour = colour === red ? blue : red;
      api.InvalidateRect(window, null, 0);
    }
    api.DispatchMessageW(bytes);
  }
}

void run();
