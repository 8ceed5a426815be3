/** A remote-desktop server that a benchmark has started. */
import type { BrowserPage } from '../../tests/kit/browser/browser-page.ts';

export interface StartedPeer extends AsyncDisposable {
  /** Where the browser goes to; `localhost`, so that the link is in between. */
  url: string;
  port: number;
  /** Whose CPU is that of the device, and whose that of the way between. */
  agent: number;
  between: number;
  /** Brings the page from its address to the live picture. */
  connect(page: BrowserPage): Promise<void>;
  /** Ends it, so that the page can be closed without a question. */
  leave(page: BrowserPage): Promise<void>;
}
