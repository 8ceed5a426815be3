/** Actions on invitations: create one, connect to its client, close it. */
import { post, postByQuery } from '../api.ts';
import { openTab } from '../open-tab.tsx';
import { t } from '../texts/index.ts';
import { confirmAction } from '../ui/dialog.tsx';
import { attempt } from '../ui/notices.ts';
import { formatInviteCode, type SupportInvitation } from './invitation.ts';

const { closing } = t.support;

export const createInvitation = async (): Promise<SupportInvitation> =>
  (await postByQuery('v1/support/create', { client_name: '' })).data;

/** Must be called from a click handler, because the browser allows new tabs only then. */
export function openSupportSession({ id }: SupportInvitation, video?: boolean): void {
  const params = { connection_id: id, ...(video !== undefined && { video }) };
  void attempt(() => openTab(async () => (await postByQuery('v1/support/connect', params)).data.url));
}

export const renameInvitation = ({ id }: SupportInvitation, name: string): Promise<unknown> =>
  post('v1/support/update', { connection_id: id, name });

export async function closeInvitation({ id, invite_code }: SupportInvitation): Promise<boolean> {
  const { title, text, yes, done } = closing;
  if (!(await confirmAction({ title, text: text(formatInviteCode(invite_code)), yes }))) return false;
  return attempt(() => postByQuery('v1/support/close', { connection_id: id }), done);
}
