/** Creates the panels, in the order of their buttons. */
import { createChatPanel } from './chat.ts';
import { createFilesPanel } from './files.ts';
import type { ConsolePanel } from './console-panel.ts';
import { createPeoplePanel } from './people.ts';
import { createSoftwarePanel } from './software.ts';
import { createTerminalPanel } from './terminal.ts';
import { createVoicePanel } from './voice.ts';
import type { SavedChat } from '../../ui/saved-chat.ts';

/** Called for each session, because panels keep state of their session. */
export const createPanels = (savedChat: SavedChat): readonly ConsolePanel[] => [
  createFilesPanel(),
  createTerminalPanel(),
  createChatPanel(savedChat),
  createVoicePanel(),
  createSoftwarePanel(),
  createPeoplePanel(),
];
