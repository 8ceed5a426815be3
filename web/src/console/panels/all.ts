/** The panels, in the order of their buttons. */
import { createChat } from './chat.ts';
import { createFiles } from './files.ts';
import type { Panel } from './panel.ts';
import { createPeople } from './people.ts';
import { createSoftware } from './software.ts';
import { createTerminal } from './terminal.ts';
import { createVoice } from './voice.ts';

/** Anew for each session: what a panel remembers ends with it. */
export const createPanels = (): readonly Panel[] => [
  createFiles(),
  createTerminal(),
  createChat(),
  createVoice(),
  createSoftware(),
  createPeople(),
];
