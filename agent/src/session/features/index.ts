/** Every feature that a session can have. */
import type { FeatureFactory } from '../feature.ts';
import { chat } from './chat.ts';
import { clipboard } from './clipboard.ts';
import { control } from './control.ts';
import { files } from './files.ts';
import { lock } from './lock.ts';
import { reboot } from './reboot.ts';
import { screen } from './screen.ts';
import { shield } from './shield.ts';
import { software } from './software.ts';
import { terminal } from './terminal.ts';
import { voice } from './voice.ts';

export const features: readonly FeatureFactory[] = [
  screen,
  control,
  clipboard,
  chat,
  lock,
  shield,
  terminal,
  files,
  software,
  reboot,
  voice,
];
