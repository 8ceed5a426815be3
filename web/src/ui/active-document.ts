/** The document of the window that the person uses: a part of the page can have a window of its own. */

const ownWindows = new Set<Window>();

export const addWindow = (added: Window): void => void ownWindows.add(added);
export const removeWindow = (removed: Window): void => void ownWindows.delete(removed);

export const activeDocument = (): Document =>
  [...ownWindows].find((each) => each.document.hasFocus())?.document ?? document;
