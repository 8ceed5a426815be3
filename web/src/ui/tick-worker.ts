/** A worker with a timer: in a hidden page, browsers throttle the page's own timers to one per minute. */

addEventListener('message', ({ data }: MessageEvent<number>) => {
  setInterval(() => postMessage(undefined), data);
});
