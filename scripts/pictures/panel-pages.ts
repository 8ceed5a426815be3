/** The list of the panel's screenshots: one for every page, tab and dialog, and how to prepare each. */
import { allPagePaths, type PanelPage } from '../../tests/kit/browser/panel-browser.ts';
import { ben } from './firm/people.ts';

export interface PanelScreenshot {
  name: string;
  /** Absent if the page is already open. */
  path?: string;
  prepare?: (page: PanelPage) => Promise<void>;
  onPhone?: boolean;
}

type Parts = Record<string, string>;

/** The singular of the word before an id: `devices/:id` is a device. */
const singular: Readonly<Record<string, string>> = {
  devices: 'device',
  people: 'person',
  departments: 'department',
  directories: 'directory',
  roles: 'role',
  providers: 'provider',
};

const nameOf = (path: string): string =>
  path
    .slice('/panel/'.length)
    .replaceAll(/(\w+)\/\*/g, (_, word: string) => singular[word] ?? word)
    .replaceAll('/', '-');

const onPhone = new Set(['support', 'devices', 'device', 'history', 'notifications', 'team-person']);

/** Every page of the panel, named after its path. */
function pages(parts: Parts): PanelScreenshot[] {
  const names = allPagePaths(Object.fromEntries(Object.keys(parts).map((each) => [each, '*']))).map(nameOf);
  return allPagePaths(parts).map((path, index) => ({
    name: names[index]!,
    path: path + (queries(parts)[names[index]!] ?? ''),
    onPhone: onPhone.has(names[index]!),
  }));
}

/** Queries for pages that would show little without one. */
const queries = (parts: Parts): Record<string, string> => ({
  'team-access': `?by=device&of=${parts['devices:id']}`,
});

const tabs = ['hardware', 'software', 'files', 'history', 'access', 'notifications', 'settings'];

const tabsOf = (parts: Parts): PanelScreenshot[] =>
  tabs.map((tab) => ({ name: `device-${tab}`, path: `/panel/devices/${parts['devices:id']}?tab=${tab}` }));

const showTiles = async (page: PanelPage): Promise<void> => {
  await page.press('Show as tiles');
  await page.until(`[...document.querySelectorAll('.preview img')].length > 2`);
};

const dialogs: readonly PanelScreenshot[] = [
  {
    name: 'dialog-invite',
    path: '/panel/support',
    onPhone: true,
    prepare: (page) => page.press('Code and link'),
  },
  {
    name: 'dialog-give-access',
    path: `/panel/team/people/${ben}`,
    prepare: async (page) => {
      await page.press('Give access');
      await page.reads('Full access to a group');
    },
  },
  {
    name: 'dialog-new-role',
    path: '/panel/team/roles',
    prepare: async (page) => {
      await page.press('New role');
      await page.fill('Name', 'Weekend duty');
    },
  },
  {
    name: 'dialog-add-device',
    path: '/panel/devices/add',
    prepare: async (page) => {
      await page.press('Create the command');
      await page.reads('It works until');
    },
  },
];

export const createScreenshotList = (parts: Parts): PanelScreenshot[] => [
  ...pages(parts),
  ...tabsOf(parts),
  ...dialogs,
  { name: 'devices-tiles', path: '/panel/devices', prepare: showTiles },
];
