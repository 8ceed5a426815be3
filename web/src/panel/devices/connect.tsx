/** Opens a session in a new tab, with a link that works once. */
import { postByQuery } from '../api.ts';
import { t } from '../texts/index.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Dialog, openDialog } from '../ui/dialog.tsx';
import { sayProblem } from '../ui/notices.ts';

const texts = t.devices;

/** The tab is opened within the click itself: browsers hold back what opens later. */
export function connect(agentId: number, video?: boolean): void {
  const tab = open('about:blank', '_blank');
  // The session has nothing to do with this page from now on.
  if (tab) tab.opener = null;
  void postByQuery('v1/agents/connect', { agent_id: agentId, ...(video !== undefined && { video }) }).then(
    ({ data: { url } }) => (tab ? tab.location.replace(url) : offer(url)),
    (error: unknown) => {
      tab?.close();
      sayProblem(error);
    },
  );
}

const offer = (url: string): Promise<void> =>
  openDialog((close) => (
    <Dialog title={texts.popUpTitle} onClose={close}>
      <p>{texts.popUpText}</p>
      <div class="row">
        <ButtonLink href={url} look="primary" icon="outside" outside>
          {texts.open}
        </ButtonLink>
      </div>
    </Dialog>
  ));
