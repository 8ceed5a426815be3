/** Creates the panels, in the order of their buttons. */
import { createChatPanel } from './chat.ts';
import { createFilesPanel } from './files.ts';
import type { ConsolePanel } from './console-panel.ts';
import { createPeoplePanel } from './people.ts';
import { createSoftwarePanel } from './software.ts';
import { createTerminalPanel } from './terminal.ts';
import { createVoicePanel } from './voice.ts';

/** Called for each session, because panels keep state of their session. */
export const createPanels = (): readonly ConsolePanel[] => [
  createFilesPanel(),
  createTerminalPanel(),
  createChatPanel(),
  createVoicePanel(),
  createSoftwarePanel(),
  createPeoplePanel(),
];
