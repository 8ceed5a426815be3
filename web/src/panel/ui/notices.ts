/** Short sentences at the lower edge of the panel. */
import { createNotices } from '../../ui/notices.ts';
import { sentenceOf } from '../refusal.ts';

const notices = createNotices();
document.body.append(notices.element);

/** Over dialogs too, which lie over everything that is not itself laid over the page. */
notices.element.popover = 'manual';

function show(text: string, look?: 'bad'): void {
  notices.element.hidePopover();
  notices.element.showPopover();
  notices.say(text, look);
}

export const say = (text: string): void => show(text);
export const sayProblem = (error: unknown): void => show(sentenceOf(error), 'bad');

/** Does something and says how it went. */
export async function attempt(work: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work();
    if (done !== undefined) say(done);
    return true;
  } catch (error) {
    sayProblem(error);
    return false;
  }
}
