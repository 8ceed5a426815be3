/** Keeps the token of each person in the agent's folder, so that their desktop asks them only once. */
import { createMarkFile } from '../../marks/mark-file.ts';
import type { RestoreTokens } from './wayland-path.ts';
import type { WaylandSession } from './wayland-session.ts';

const tokenPrefix = 'desktop-token-';

/** Whether a file in the agent's folder is the token of a person. */
export const isTokenName = (name: string): boolean => name.startsWith(tokenPrefix);

export function tokensOf({ uid }: Pick<WaylandSession, 'uid'>): RestoreTokens {
  const file = createMarkFile(`${tokenPrefix}${uid}`);
  return {
    read: () => (file.exists() ? file.read() : undefined),
    keep: file.write,
  };
}
