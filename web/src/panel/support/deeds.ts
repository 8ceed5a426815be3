/** What one does with an invitation: make it, connect to its client, close it. */
import { post, postByQuery } from '../api.ts';
import { openTab } from '../open-tab.tsx';
import { t } from '../texts/index.ts';
import { confirmAction } from '../ui/dialog.tsx';
import { attempt } from '../ui/notices.ts';
import { readableCode, type Invitation } from './invitation.ts';

const { closing } = t.support;

export const invite = async (): Promise<Invitation> =>
  (await postByQuery('v1/support/create', { client_name: '' })).data;

/** Called by a click, so that the browser allows the tab. */
export function connectTo({ id }: Invitation, video?: boolean): void {
  const params = { connection_id: id, ...(video !== undefined && { video }) };
  void attempt(() => openTab(async () => (await postByQuery('v1/support/connect', params)).data.url));
}

export const rename = ({ id }: Invitation, name: string): Promise<unknown> =>
  post('v1/support/update', { connection_id: id, name });

export async function closeFirstAsked({ id, invite_code }: Invitation): Promise<boolean> {
  const { title, text, yes, done } = closing;
  if (!(await confirmAction({ title, text: text(readableCode(invite_code)), yes }))) return false;
  return attempt(() => postByQuery('v1/support/close', { connection_id: id }), done);
}
