/** Turns the sound of the device on and off. */
import { createDeviceSwitch, type DeviceSwitch, type DeviceSwitchOptions } from '../device-switch.ts';
import { canPlaySound, openSoundPlayer } from './sound-player.ts';
import { soundTexts as texts } from './texts.ts';

export function createSoundSwitch(options: DeviceSwitchOptions): DeviceSwitch {
  // The browser plays sound only if the player is opened by a press.
  const { notPlayed: whyNot, notLoaded } = texts;
  const page = { isPossible: canPlaySound(), open: openSoundPlayer, whyNot, notLoaded };
  const sound = createDeviceSwitch({ kind: 'sound', texts, page }, options);
  options.session.on('sound_bytes', (packet) => sound.opened()?.play(packet));
  return sound;
}
