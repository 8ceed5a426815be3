/** A remote-desktop server that the benchmark has started. */
import type { BrowserPage } from '../../tests/kit/browser/browser-page.ts';

export interface StartedPeer extends AsyncDisposable {
  /** The address for the browser; `localhost`, so that requests pass the link. */
  url: string;
  port: number;
  /** Processes that count as the device, and processes that count as the connection between. */
  agent: number;
  between: number;
  /** Injected into the page before its own scripts. */
  script?: string;
  /** Operates the page until it shows the live screen. */
  connect(page: BrowserPage): Promise<void>;
  /** Ends the session, so that the page can be closed without a confirmation. */
  leave(page: BrowserPage): Promise<void>;
}
