/** Creates new accounts with the secrets that their owner sees once: an API key and a single-use sign-in link. */
import type { Random } from '../edges/random.ts';
import { digestOf } from '../edges/random.ts';
import { signInLifetime, visiblePrefixLength } from '../domain/people/members.ts';
import type { ChangeInput } from '../store/changes.ts';

export interface NewKeySecret {
  apiKey: string;
  key: ChangeInput<'keys/create'>['key'];
}

/** Returns a new key for its holder, and what the store keeps of it. */
export function newKey(random: Random, name: string, expireTime: number | null = null): NewKeySecret {
  const apiKey = random.apiKey();
  return {
    apiKey,
    key: {
      digest: digestOf(apiKey),
      prefix: apiKey.slice(0, visiblePrefixLength),
      name,
      expireTime,
      networks: [],
    },
  };
}

export interface NewAccount {
  input: Required<ChangeInput<'accounts/create'>>;
  apiKey: string;
  signInUrl: string;
}

export function newAccount(random: Random, email: string, publicUrl: string, now: number): NewAccount {
  const { apiKey, key } = newKey(random, 'First key');
  const token = random.token();
  return {
    input: { email, key, signIn: { digest: digestOf(token), expireTime: now + signInLifetime } },
    apiKey,
    signInUrl: `${publicUrl}/sign-in/${token}`,
  };
}
