/** What a device needs to record a session: the URL for the upload, a token, and the key that the recording is sealed for. */
import { isFault } from '@drawbridge/contract/faults';
import { playerPaths } from '@drawbridge/contract/session/player';
import type { Grant } from '@drawbridge/contract/session/signed';
import type { RecordingKeys } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { ActiveSession } from './active-sessions.ts';

export interface RecordingGrants {
  /** Whether the account's storage is used up. */
  isStorageFull(accountId: number): Promise<boolean>;
  /** Begins one more recording of the session; undefined when the session no longer exists. */
  begin(session: Pick<ActiveSession, 'id' | 'accountId'>): Promise<Grant['record']>;
}

export interface RecordingGrantsDeps {
  store: Pick<Store, 'recordings' | 'change'>;
  random: { token(): string };
  digestOf(secret: string): string;
  makeKeys(): RecordingKeys;
  publicUrl(): string;
}

export function createRecordingGrants({
  store,
  random,
  digestOf,
  makeKeys,
  publicUrl,
}: RecordingGrantsDeps): RecordingGrants {
  const keysOf = async (account: number): Promise<RecordingKeys> =>
    (await store.recordings.keys(account)) ??
    (await store.change('recordings/keys', { account, keys: makeKeys() }));
  return {
    isStorageFull: async (accountId) => ((await store.recordings.remainingBytes(accountId)) ?? 1) <= 0,
    async begin({ id: sessionId, accountId }) {
      const token = random.token();
      const { publicKey: key } = await keysOf(accountId);
      const begun = await store.change('recordings/begin', {
        accountId,
        sessionId,
        tokenDigest: digestOf(token),
      });
      return isFault(begun)
        ? undefined
        : { url: `${publicUrl()}${playerPaths.upload}/${begun.id}`, token, key };
    },
  };
}
