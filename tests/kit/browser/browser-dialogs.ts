/** Answers the browser's dialogs for a test: choosing a file, and permission to use the clipboard. */
import type { AnyPage } from './any-page.ts';
import type { BrowserPage } from './browser-page.ts';

/** Answers the browser's file dialog with this file or folder when it opens. */
export async function answerFileDialog(
  { tab }: AnyPage,
  path: string,
  open: () => Promise<void>,
): Promise<void> {
  const [dialog] = await Promise.all([tab.waitForFileChooser(), open()]);
  await dialog.accept([path]);
}

/** Grants the permissions that the browser asks people for. */
export async function allowClipboard({ tab }: AnyPage): Promise<void> {
  for (const name of ['clipboard-read', 'clipboard-write'])
    await tab.browserContext().setPermission('*', { permission: { name }, state: 'granted' });
}

/** Saves the downloads of the page in this folder. */
export async function saveDownloads({ devtools }: BrowserPage, downloadPath: string): Promise<void> {
  await devtools.send('Page.setDownloadBehavior', { behavior: 'allow', downloadPath });
}
