/** Saves the picture of the device as a PNG file, as the operator sees it and in its full size. */
import { saveFile } from '../../ui/save-file.ts';
import type { ConsoleContext } from '../console-context.ts';
import { consoleTexts } from '../texts.ts';

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** The name of the device and the operator's local time, which sorts by time. */
function screenshotName(device: string, at: Date): string {
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(twoDigits).join('-');
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join('.');
  return `${[device, day, time].filter(Boolean).join(' ')}.png`;
}

export function saveScreenshot({ screen, session, notices }: ConsoleContext): void {
  const { screenshot: texts } = consoleTexts;
  if (screen.drawn === 0) return notices.show(texts.nothing, 'bad');
  screen.canvas.toBlob((picture) => {
    if (!picture) return notices.show(texts.failed, 'bad');
    saveFile(picture, screenshotName(session.device.name, new Date()));
    notices.show(texts.saved);
  }, 'image/png');
}
