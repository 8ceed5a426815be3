/** All texts of the player. */

export const playerTexts = {
  product: 'Drawbridge',
  loading: 'Opening the recording…',
  gone: 'This recording does not exist: it was removed, or the link is wrong.',
  busy: 'There were too many tries from your network. Wait a minute, then try again.',
  trouble: 'The service has a problem and could not open the recording. Try again later.',
  again: 'Try again',
  unreachable: 'The service cannot be reached. Check your connection.',
  broken:
    'This recording was changed after it was made, or a part of it is missing. The rest of it is not shown.',
  empty: 'Nothing was recorded in this session.',
  incomplete: 'The end of this recording is missing: the session was cut off.',
  about: (operator: string, start: string) => (operator ? `${start}, by ${operator}` : start),
  play: 'Play',
  pause: 'Pause',
  seek: 'Place in the recording',
  speed: 'Speed',
  times: (speed: number) => `${speed}×`,
  fullScreen: 'Full screen',
  screen: 'Recorded screen',
} as const;
