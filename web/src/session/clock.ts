/** The clock that is passed to a session. */

export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** Calls again and again, also while nobody looks at the page; the answer stops it. */
  every(ms: number, call: () => void): () => void;
  /** Calls once; the answer stops it. */
  after(ms: number, call: () => void): () => void;
}

/** In a page that nobody looks at, browsers call back once a minute only: pages pass a better `every`. */
export const createClock = (every: Clock['every'] = pageInterval): Clock => ({
  now: () => performance.now(),
  every,
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
});

function pageInterval(ms: number, call: () => void): () => void {
  const timer = setInterval(call, ms);
  return () => clearInterval(timer);
}
