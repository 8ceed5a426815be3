/** The brand of an account: what is stored, and what people see. */
import { brandPath, type Brand } from '@drawbridge/contract/brand';

export interface StoredBrand {
  name: string;
  accent: string;
  /** Identifies the picture; empty when there is none. */
  logoDigest: string;
}

/** The brand as sent to clients; the picture's address is a path, or an absolute address with `publicUrl`. */
export const brandView = (stored: StoredBrand | undefined, publicUrl = ''): Brand => ({
  name: stored?.name ?? '',
  logo: stored?.logoDigest ? `${publicUrl}${brandPath}${stored.logoDigest}` : '',
  accent: stored?.accent ?? '',
});
