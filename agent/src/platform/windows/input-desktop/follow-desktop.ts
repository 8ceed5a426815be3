/** Input, banner and question on the desktop that has mouse and keyboard. */
import type { Banner, Desktop, DesktopInput } from '../../desktop.ts';
import type { InputDesktop, InputDesktops } from './input-desktops.ts';

/** Everything else stays on the agent's own desktop. */
export const followDesktop = (own: InputDesktop, desktops: InputDesktops): Omit<InputDesktop, 'capture'> => ({
  input: async () => followInput(await own.input(), desktops),
  banner: async (text) => followBanner(await own.banner(text), desktops, text),
  async ask(...question: Parameters<Desktop['ask']>) {
    const stop = desktops.onChange(() => {});
    await desktops.ready();
    return (desktops.current() ?? own).ask(...question).finally(stop);
  },
});

/** What a part opens on the other desktop, for as long as that one has mouse and keyboard. */
function followPart<Part extends { close(): void }>(
  desktops: InputDesktops,
  open: (desktop: InputDesktop) => Promise<Part>,
  onChange: (part: Part | undefined) => void,
): () => void {
  let [desktop, part, isClosed]: [InputDesktop | undefined, Part | undefined, boolean] = [
    undefined,
    undefined,
    false,
  ];
  const change = async (): Promise<void> => {
    const next = desktops.current();
    if (next === desktop) return;
    desktop = next;
    part?.close();
    onChange((part = undefined));
    const opened = await (next && open(next))?.catch(() => undefined);
    if (isClosed || desktop !== next) return opened?.close();
    onChange((part = opened));
  };
  const stop = desktops.onChange(() => void change());
  void change();
  return () => {
    isClosed = true;
    stop();
    part?.close();
  };
}

function followInput(own: DesktopInput, desktops: InputDesktops): DesktopInput {
  let other: DesktopInput | undefined;
  const stop = followPart(
    desktops,
    (desktop) => desktop.input(),
    (input) => {
      // What was pressed when the desktop changed can be released only now, and the operator has done so meanwhile.
      if (other && !input) own.reset();
      other = input;
    },
  );
  const target = (): DesktopInput => other ?? own;
  return {
    pointer: (x, y, buttons) => target().pointer(x, y, buttons),
    wheel: (deltaX, deltaY) => target().wheel(deltaX, deltaY),
    key: (down, code, key) => target().key(down, code, key),
    text: (text) => target().text(text),
    reset() {
      other?.reset();
      own.reset();
    },
    close() {
      stop();
      own.close();
    },
  };
}

/** The person sees it on both, because either can be in front of them. */
function followBanner(own: Banner, desktops: InputDesktops, firstText: string): Banner {
  const listeners: (() => void)[] = [];
  const onStop = (): void => listeners.forEach((listener) => listener());
  let [other, text]: [Banner | undefined, string] = [undefined, firstText];
  own.onStop(onStop);
  const stop = followPart(
    desktops,
    (desktop) => desktop.banner(text),
    (banner) => {
      other = banner;
      banner?.onStop(onStop);
      banner?.setText(text);
    },
  );
  return {
    onStop: (listener) => void listeners.push(listener),
    setText(changed) {
      text = changed;
      for (const banner of [own, other]) banner?.setText(changed);
    },
    close() {
      stop();
      own.close();
    },
  };
}
