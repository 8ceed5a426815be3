/** Creates the findings of checks. */
import type { Finding } from '../../store/engine/database.ts';

export const ok = (name: string, says: string): Finding => ({ name, state: 'ok', says });
export const warning = (name: string, says: string): Finding => ({ name, state: 'warning', says });
export const problem = (name: string, says: string): Finding => ({ name, state: 'problem', says });
