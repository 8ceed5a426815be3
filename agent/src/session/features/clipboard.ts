/** Synchronizes the text clipboard of both sides during the session. */
import { allowsDirection } from '@drawbridge/contract/policy';
import { maxFrameBytes } from '@drawbridge/contract/session/frame-kinds';
import { encodeMessage } from '@drawbridge/contract/session/messages';
import { NotPossible } from '../../platform/platform.ts';
import type { FeatureFactory } from '../feature.ts';
import { keepDesktopPart } from './desktop-part.ts';

/** The rest of the frame is reserved for the seal. */
const maxBytes = maxFrameBytes - 64;

export const clipboardFeature: FeatureFactory = (context) => {
  const shared = keepDesktopPart(context, {
    failure: 'the clipboard cannot be opened',
    async open(desktop) {
      const clipboard = await desktop.clipboard();
      clipboard.onChange((text) => {
        if (!allowsDirection(context.policy.clipboard, 'from_device')) return;
        const bytes = encodeMessage('clipboard', { text });
        if (bytes.length <= maxBytes) context.sendEncoded('clipboard', bytes);
        else context.log('the clipboard is too long to send');
      });
      return clipboard;
    },
  });
  return {
    handlers: {
      async clipboard(payload) {
        const { text } = payload;
        if (!allowsDirection(context.policy.clipboard, 'to_device'))
          throw new NotPossible('The policy of this device does not allow changes of its clipboard.');
        (await shared.opened()).write(text);
      },
    },
    start: async () => void (await shared.opened()),
    stop: shared.close,
  };
};
