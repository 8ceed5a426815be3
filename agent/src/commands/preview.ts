/** Takes a small screenshot. */
import type { CommandHandler } from './handler.ts';

export const previewCommand: CommandHandler<'preview'> = async ({ width }, { platform }) => {
  const { type, bytes } = await platform.preview(width);
  return { type, picture: bytes.toString('base64') };
};
