/** Answers the browser's dialogs for a test: choosing a file, and permissions. */
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

/** Grants permissions that the browser asks people for. */
export async function grantPermissions({ tab }: AnyPage, permissions: readonly string[]): Promise<void> {
  for (const name of permissions)
    await tab.browserContext().setPermission('*', { permission: { name }, state: 'granted' });
}

export const allowClipboard = (page: AnyPage): Promise<void> =>
  grantPermissions(page, ['clipboard-read', 'clipboard-write']);

/** Saves the downloads of the page in this folder. */
export async function saveDownloads({ devtools }: BrowserPage, downloadPath: string): Promise<void> {
  await devtools.send('Page.setDownloadBehavior', { behavior: 'allow', downloadPath });
}
