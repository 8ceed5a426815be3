/** The texts about the sound of the device. */

export const soundTexts = {
  label: 'Sound',
  turnOn: 'Hear the sound of the device',
  turnOff: () => 'Turn off the sound of the device',
  starting: 'The sound of the device is turned on…',
  waiting: 'The sound of the device is turned on when the connection is back',
  notPlayed: 'Your browser cannot play the sound of the device.',
  notLoaded: 'The page could not load what it needs to play the sound. Try again.',
};
