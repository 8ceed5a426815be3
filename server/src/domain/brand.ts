/** The brand of an account: what is kept of it, and what people are shown. */
import { brandPath, type Brand } from '@drawbridge/contract/brand';

export interface StoredBrand {
  name: string;
  accent: string;
  /** Names the picture; empty when there is none. */
  logoDigest: string;
}

/** The brand as it is told; the picture's address is a path, or begins with the server's own. */
export const brandView = (stored: StoredBrand | undefined, publicUrl = ''): Brand => ({
  name: stored?.name ?? '',
  logo: stored?.logoDigest ? `${publicUrl}${brandPath}${stored.logoDigest}` : '',
  accent: stored?.accent ?? '',
});
