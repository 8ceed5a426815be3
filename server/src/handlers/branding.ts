/** The brand of the account. One function per row of contract/src/v1/branding.ts. */
import { maxLogoBytes, maxLogoSide } from '@drawbridge/contract/logo';
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import type { branding as table } from '@drawbridge/contract/v1/branding';
import { brandView } from '../domain/people/brand.ts';
import { readImageInfo, type ImageInfo } from '@drawbridge/contract/images';
import type { HandlerContext, Handlers, IncomingBody } from './handler.ts';
import { ignoreOutage } from '../store/outages.ts';

export const brandingHandlers: Handlers<typeof table> = {
  'branding/info': async ({ actor }, { store, publicUrl }) => ({
    data: brandView(await store.brands.of(actor.accountId), publicUrl),
  }),

  'branding/update': async ({ actor, input, change }) =>
    change('brands/update', {
      accountId: actor.accountId,
      name: input.name,
      accent: input.accent?.toLowerCase(),
    }),

  'branding/logo': async ({ actor: { accountId }, incoming, change }, context) => {
    const bytes = await readLogo(incoming);
    if (isFault(bytes)) return bytes;
    const picture = readImageInfo(bytes);
    if (!picture || isTooWide(picture)) return picture ? tooWide : noPicture;
    const base64 = bytes.toString('base64');
    const digest = context.digestOf(base64);
    const stored = await storeLogo(accountId, bytes, context);
    const place = stored ? { logo: '', ...stored } : { logo: base64, blobKey: '', size: 0 };
    const before = await change('brands/logo', { accountId, type: picture.type, digest, ...place });
    await removeReplaced(accountId, before, context);
    return { logo: brandView({ name: '', accent: '', logoDigest: digest }, context.publicUrl).logo };
  },

  'branding/logo/remove': async ({ actor: { accountId }, change }, context) => {
    await removeReplaced(accountId, await change('brands/remove-logo', { accountId }), context);
    return {};
  },
};

/** Returns undefined if the picture belongs into the database. */
const storeLogo = async (
  accountId: number,
  bytes: Uint8Array,
  { store, pictures }: HandlerContext,
): Promise<{ blobKey: string; size: number } | undefined> =>
  pictures && (await store.brands.mayLeaveDatabase()) ? pictures.put(accountId, bytes) : undefined;

const removeReplaced = async (
  accountId: number,
  { replaced }: { replaced: string },
  { pictures }: HandlerContext,
): Promise<void> => {
  // If the storage is away, the sweep removes it later.
  if (replaced !== '') await pictures?.blobs.remove(accountId, replaced).catch(ignoreOutage);
};

/** Reads the picture; stops as soon as it is too large. */
async function readLogo({ bytes, length }: IncomingBody): Promise<Buffer | Fault<'invalid'>> {
  if ((length ?? 0) > maxLogoBytes) return tooLarge;
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of bytes) {
      size += part.length;
      if (size > maxLogoBytes) return tooLarge;
      parts.push(part);
    }
  } catch {
    return broken;
  }
  return Buffer.concat(parts);
}

const isTooWide = ({ width, height }: ImageInfo): boolean => Math.max(width, height) > maxLogoSide;

const tooLarge = fault('invalid', {
  code: 'file_too_large',
  field: 'body',
  message: `A logo must not be larger than ${maxLogoBytes / 1_024} KiB.`,
});
const broken = fault('invalid', {
  code: 'broken_upload',
  field: 'body',
  message: 'The upload was interrupted. The picture was not saved.',
});
const noPicture = fault('invalid', {
  code: 'no_picture',
  field: 'body',
  message: 'A logo must be a PNG, JPEG or WebP picture.',
});
const tooWide = fault('invalid', {
  code: 'picture_too_wide',
  field: 'body',
  message: `A logo must not be wider or higher than ${maxLogoSide} pixels.`,
});
