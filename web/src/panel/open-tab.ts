/** Opens a new tab for an address that is yet to be asked for. */

/**
 * Browsers allow a tab only while the click lasts: it is opened at once, and told its address when that is known. What
 * is opened does not learn from where.
 */
export async function openTab(find: () => Promise<string>): Promise<void> {
  const tab = open('', '_blank');
  if (tab) tab.opener = null;
  try {
    const address = await find();
    if (tab) tab.location.replace(address);
    else location.assign(address); // The browser allows no tabs: then in this one.
  } catch (error) {
    tab?.close();
    throw error;
  }
}
