/** Short messages at the lower edge of the panel. */
import { effect } from '@preact/signals';
import { createNotices } from '../../ui/notices.ts';
import { currentUser } from '../current-user.ts';
import { toErrorMessage } from '../panel-api-error.ts';
import { t } from '../texts/index.ts';

const notices = createNotices({ close: t.common.closeNotice });
document.body.append(notices.element);

/** A modal dialog makes everything outside it inert, so the notices move into the topmost open dialog. */
export function moveNotices(leaving?: Element): void {
  const open = [...document.querySelectorAll('dialog:modal')].filter((dialog) => dialog !== leaving);
  const parent = open.at(-1) ?? document.body;
  if (notices.element.parentElement !== parent) parent.append(notices.element);
}

export const showNotice = (text: string): void => notices.show(text);
export const showError = (error: unknown): void => notices.show(toErrorMessage(error), 'bad');

/** Notices of one user are not shown to the next. */
let wasSignedIn = false;
effect(() => {
  const isSignedIn = currentUser.value !== null && currentUser.value !== undefined;
  if (isSignedIn !== wasSignedIn) notices.clear();
  wasSignedIn = isSignedIn;
});

/** Runs `work` and shows a notice on success (`done`) or failure; resolves to whether it succeeded. */
export async function attempt(work: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work();
    if (done !== undefined) showNotice(done);
    return true;
  } catch (error) {
    showError(error);
    return false;
  }
}
