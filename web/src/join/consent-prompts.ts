/** The questions to the person during a visit, as dialogs and in the title of the tab. */
import { askInDialog } from '../ui/ask-in-dialog.ts';
import { joinTexts } from './texts.ts';
import type { ConsentPrompts } from './client-session.ts';

/** The person may be in another tab, so the title shows the question too. */
async function withTabTitle<Answer>(title: string, work: () => Promise<Answer>): Promise<Answer> {
  const before = document.title;
  document.title = `● ${title}`;
  try {
    return await work();
  } finally {
    document.title = before;
  }
}

/** As on a device: a click meant for something else must not accept a dialog that just appeared. */
const enableAfterMs = 500;

/** Shows one question at a time. */
function createQueue(): <Answer>(work: () => Promise<Answer>) => Promise<Answer> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}

export function createConsentPrompts(): ConsentPrompts {
  const enqueue = createQueue();
  const confirm = async (
    question: { title: string; text: string; yes: string; no: string },
    signal?: AbortSignal,
  ): Promise<boolean> =>
    enqueue(() =>
      withTabTitle(question.title, async () => {
        const { title, text } = question;
        const answers = [{ text: question.yes, answer: true }];
        const shared = { title, text, answers, cancel: question.no, enableAfterMs };
        return (await askInDialog({ ...shared, ...(signal && { signal }) })) === true;
      }),
    );
  return {
    mayConnect({ name, address }, signal) {
      const { consent: texts } = joinTexts;
      const [title, text] = [texts.title(name), texts.text(name, address)];
      return confirm({ title, text, yes: texts.allow, no: texts.decline }, signal);
    },
    mayCall({ name }, signal) {
      const { call: texts } = joinTexts;
      return confirm(
        { title: texts.title(name), text: texts.text, yes: texts.accept, no: texts.decline },
        signal,
      );
    },
    async mayInstall({ name }, message) {
      const { install: texts } = joinTexts;
      const question = { title: texts.title(name), text: texts.text(message), yes: texts.yes, no: texts.no };
      if (!(await confirm(question))) return texts.declined;
      const { href } = new URL('/download', location.href);
      open(href, '_blank', 'noopener');
      return texts.agreed(href);
    },
  };
}
