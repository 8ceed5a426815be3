/** Counts time beside the page: in a page that nobody looks at, browsers let timers sleep for a minute. */

addEventListener('message', ({ data }: MessageEvent<number>) => {
  setInterval(() => postMessage(undefined), data);
});
