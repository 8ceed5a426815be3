/** Answers the browser's dialogs for a test: choosing a file, and permission to use the clipboard. */
import type { BrowserPage } from './browser-page.ts';

/** Answers the browser's file dialog with this file when it opens. */
export async function answerFileDialog(
  page: BrowserPage,
  file: string,
  open: () => Promise<void>,
): Promise<void> {
  await page.send('DOM.enable');
  await page.evaluate(`{
    const click = HTMLInputElement.prototype.click;
    HTMLInputElement.prototype.click = function () {
      if (this.type !== 'file') return click.call(this);
      this.id = 'given';
      document.body.append(this);
    };
  }`);
  await open();
  await page.until(`document.querySelector('#given')`);
  const { result } = await page.send<{ result: { objectId: string } }>('Runtime.evaluate', {
    expression: `document.querySelector('#given')`,
  });
  await page.send('DOM.setFileInputFiles', { objectId: result.objectId, files: [file] });
  await page.evaluate(`document.querySelector('#given').remove()`);
}

/** Grants the permissions that the browser asks people for. */
export async function allowClipboard(page: BrowserPage): Promise<void> {
  const { targetInfo } = await page.send<{ targetInfo: { browserContextId: string } }>(
    'Target.getTargetInfo',
  );
  const { browserContextId } = targetInfo;
  const permissions = ['clipboardReadWrite', 'clipboardSanitizedWrite'];
  await page.send('Browser.grantPermissions', { permissions, browserContextId });
}
