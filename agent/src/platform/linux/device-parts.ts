/** Says for the doctor whether the parts of the device are there that sound and printing need. */
import { openOpusEncoder } from '../../sound/opus.ts';
import { outputOf } from './inventory/system-files.ts';
import { findDefaultMonitor } from './sound/monitor-recorder.ts';
import { isInstalled } from './sound/sound-server.ts';

export const describeParts = async (): Promise<string[]> => [
  `Sound: ${await describeSound()}`,
  `Printing: ${await describePrinting()}`,
];

async function describeSound(): Promise<string> {
  if (!isInstalled('parec')) return 'parec is missing. Install the package pulseaudio-utils.';
  const encoder = await openOpusEncoder();
  if (!encoder) return 'libopus is missing. Install the package libopus0.';
  encoder.close();
  try {
    if (await findDefaultMonitor()) return 'possible.';
    return 'the sound server does not answer, or it has no loudspeaker.';
  } catch (error) {
    return (error as Error).message;
  }
}

async function describePrinting(): Promise<string> {
  if (!isInstalled('lpadmin')) return 'CUPS is missing. Install the packages cups and cups-filters.';
  const state = await outputOf('lpstat', ['-r']);
  return state?.includes('is running') ? 'possible.' : 'CUPS does not run. Start its service.';
}
