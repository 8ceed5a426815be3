/** Takes a small picture of the screen. */
import type { CommandOf } from './command.ts';

export const preview: CommandOf<'preview'> = async ({ width }, { platform }) => {
  const { type, bytes } = await platform.preview(width);
  return { type, picture: bytes.toString('base64') };
};
