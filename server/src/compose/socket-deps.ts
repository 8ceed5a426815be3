/** What the WebSocket endpoints of the server need. */
import type { Identity } from '../gateway/devices/identity.ts';
import type { Locations } from '../edges/location.ts';
import type { Log } from '../edges/log.ts';

export interface SocketDeps extends Pick<Locations, 'geoOf' | 'rangeOf'> {
  log: Log;
  /** Identifies this process among those that share the store. */
  node: string;
  identity: Identity;
}
