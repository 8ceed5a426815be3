/** When API keys were last used: noted in memory on every request, stored periodically. */
import type { Store } from '../store/store.ts';

export interface KeyUses {
  note(accountId: number, keyId: number, now: number): void;
  /** Stores what was noted since it last succeeded. */
  write(): Promise<void>;
}

export function createKeyUses(store: Pick<Store, 'change'>): KeyUses {
  let noted = new Map<number, { accountId: number; keyId: number; time: number }>();
  return {
    note: (accountId, keyId, time) => void noted.set(keyId, { accountId, keyId, time }),
    async write() {
      if (noted.size === 0) return;
      const before = noted;
      noted = new Map();
      try {
        await store.change('keys/used', { uses: [...before.values()] });
      } catch (error) {
        // Uses noted meanwhile are later and win.
        noted = new Map([...before, ...noted]);
        throw error;
      }
    },
  };
}
