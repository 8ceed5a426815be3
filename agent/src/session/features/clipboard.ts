/** Synchronizes the text clipboard of both sides during the session. */
import { allowsDirection } from '@drawbridge/contract/policy';
import { maxFrameBytes } from '@drawbridge/contract/session/frame-kinds';
import { encodeMessage } from '@drawbridge/contract/session/messages';
import type { Clipboard, Desktop } from '../../platform/desktop.ts';
import { NotPossible } from '../../platform/platform.ts';
import type { FeatureFactory } from '../feature.ts';

/** The rest of the frame is reserved for the seal. */
const maxBytes = maxFrameBytes - 64;

export const clipboardFeature: FeatureFactory = (context) => {
  let opening: Promise<{ desktop: Desktop; shared: Clipboard }> | undefined;
  const open = async (): Promise<{ desktop: Desktop; shared: Clipboard }> => {
    const desktop = await context.platform.desktop();
    desktop.onClose(() => void (opening = undefined));
    const shared = await desktop.clipboard().catch((error: unknown) => {
      desktop.close();
      throw error;
    });
    shared.onChange((text) => {
      if (!allowsDirection(context.policy.clipboard, 'from_device')) return;
      const bytes = encodeMessage('clipboard', { text });
      if (bytes.length <= maxBytes) context.sendEncoded('clipboard', bytes);
      else context.log('the clipboard is too long to send');
    });
    return { desktop, shared };
  };
  return {
    handlers: {
      async clipboard(payload) {
        const { text } = payload;
        if (!allowsDirection(context.policy.clipboard, 'to_device'))
          throw new NotPossible('The policy of this device does not allow changes of its clipboard.');
        (await (opening ??= open())).shared.write(text);
      },
    },
    start: async () => void (await (opening ??= open())),
    async stop() {
      const opened = await opening?.catch(() => undefined);
      opened?.shared.close();
      opened?.desktop.close();
    },
  };
};
