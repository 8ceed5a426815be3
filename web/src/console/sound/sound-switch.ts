/** Turns the sound of the device on and off. */
import { createDeviceSwitch, type DeviceSwitch, type DeviceSwitchOptions } from '../device-switch.ts';
import { consoleTexts } from '../texts.ts';
import { canPlaySound, openSoundPlayer } from './sound-player.ts';

const { sound: texts } = consoleTexts;

export function createSoundSwitch(options: DeviceSwitchOptions): DeviceSwitch {
  // The browser plays sound only if the player is opened by a press.
  const page = { isPossible: canPlaySound(), open: openSoundPlayer, whyNot: texts.notPlayed };
  const sound = createDeviceSwitch({ kind: 'sound', texts, page }, options);
  options.session.on('sound_bytes', (packet) => sound.opened()?.play(packet));
  return sound;
}
