/** Every feature that a session can have. */
import type { FeatureFactory } from '../feature.ts';
import { chatFeature } from './chat.ts';
import { clipboardFeature } from './clipboard.ts';
import { controlFeature } from './control.ts';
import { fileDragFeature } from './file-drag.ts';
import { filesFeature } from './files.ts';
import { lockFeature } from './lock.ts';
import { printingFeature } from './printing.ts';
import { rebootFeature } from './reboot.ts';
import { screenFeature } from './screen.ts';
import { shieldFeature } from './shield.ts';
import { soundFeature } from './sound.ts';
import { softwareFeature } from './software.ts';
import { terminalFeature } from './terminal.ts';
import { voiceFeature } from './voice.ts';

export const features: readonly FeatureFactory[] = [
  screenFeature,
  controlFeature,
  clipboardFeature,
  chatFeature,
  lockFeature,
  shieldFeature,
  terminalFeature,
  filesFeature,
  fileDragFeature,
  softwareFeature,
  rebootFeature,
  voiceFeature,
  soundFeature,
  printingFeature,
];
