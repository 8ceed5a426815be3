/** As whom people sign in with the password of a directory, and who has decided that. */
import type { Model } from './model.ts';
import type { Organisation } from './organisation.ts';

/** Those as whom the directory signs in. */
export async function signInsByDirectory(
  { context: { store } }: Pick<Model, 'context'>,
  { accountId, owner, people }: Organisation,
): Promise<string[]> {
  const open: string[] = [];
  for (const email of [owner, ...people]) {
    const candidates = await store.panel.byEmail(email);
    if (candidates.some((each) => each.accountId === accountId && each.directory !== undefined))
      open.push(email);
  }
  return open;
}

/**
 * What must not be so: a directory gets passwords although the person who set it up last is no server administrator, or it
 * signs in as the owner or a server administrator.
 */
export function wrongSignIns(
  open: readonly string[],
  { owner, operator }: Organisation,
  setter: string,
): string[] {
  if (open.length === 0) return [];
  const wrong = setter === operator ? [] : [`${setter}, who is no server administrator, receives passwords`];
  for (const email of [owner, operator])
    if (open.includes(email)) wrong.push(`the directory of ${setter} signs in as ${email}`);
  return wrong;
}
