/** Who could sign in as whom with a directory of their own. */
import type { Model } from './model.ts';
import type { Organisation } from './organisation.ts';

/** The rights that the person who last set up the directory could get by signing in as somebody from there. */
export async function signInsBeyond(
  { context: { store } }: Pick<Model, 'context'>,
  { accountId }: Organisation,
  setter: string,
  rights: Map<string, Set<string>>,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const [email, held] of rights) {
    const candidates = await store.panel.byEmail(email);
    const isOpen = candidates.some((each) => each.accountId === accountId && each.directory !== undefined);
    const beyond = isOpen ? held.difference(rights.get(setter) ?? new Set()) : [];
    for (const right of beyond) wrong.push(`${setter} may sign in as ${email}, who holds ${right}`);
  }
  return wrong;
}
