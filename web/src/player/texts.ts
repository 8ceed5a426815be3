/** Every word of the player, in one place. */

export const texts = {
  product: 'Drawbridge',
  loading: 'Opening the recording…',
  gone: 'This recording is not there: it was removed, or the link is not right.',
  busy: 'There were too many tries from your network. Wait a minute, then try again.',
  trouble: 'The service has a problem, and could not open the recording. Try again in a while.',
  again: 'Try again',
  unreachable: 'The service can not be reached. Check your connection.',
  broken:
    'This recording was changed after it was made, or a part of it is missing. It is not shown any further.',
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
