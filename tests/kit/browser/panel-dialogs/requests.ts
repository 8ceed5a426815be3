/** Steps for the dialogs of requests for access: somebody asks twice, and the owner decides. */
import { named, type DialogFixture } from './fixture.ts';
import { waitForNotice, waitUntilClosed, waitUntilShown, type DialogStep } from './step.ts';

export const askSteps = ({ lamp }: Pick<DialogFixture, 'lamp'>): DialogStep[] =>
  ['The first ticket', 'The second ticket'].map((reason): DialogStep => ({
    title: `Ask for access to ${named('lamp')}`,
    from: 'requests/ask-dialog.tsx',
    at: `/panel/devices/${lamp}`,
    open: 'Ask for access',
    async act(page) {
      await page.fill('Reason', reason);
      await page.answer('Ask');
      await waitForNotice(page, 'Asked. You have access as soon as somebody approves.');
      await waitUntilClosed(page);
    },
  }));

export const requestSteps = (): DialogStep[] => [
  {
    title: 'Deny this request?',
    from: 'requests/request-actions.tsx',
    at: '/panel/requests',
    open: 'Deny',
    async act(page) {
      await page.fill('Reason', 'Not today');
      await page.answer('Deny');
      await waitForNotice(page, 'Denied.');
      await waitUntilShown(page, 'Not today');
    },
  },
  {
    title: 'End this access now?',
    from: 'requests/request-actions.tsx',
    async open(page) {
      await page.press('Approve');
      await waitForNotice(page, 'Approved. The access begins now.');
      await page.press('End access');
    },
    async act(page) {
      await page.answer('End access');
      await waitForNotice(page, 'The access has ended.');
    },
  },
];
