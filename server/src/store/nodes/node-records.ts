/** What the store knows about the servers that share it, and about the connections they hold. */

/** A server that shares the database with others. */
export interface NodeRecord {
  id: string;
  hasBus: boolean;
  /** Digests of what must be equal on all of them, by what it is; `start` identifies the start of the program. */
  shared: Readonly<Record<string, string>>;
  /** Absent until its port is open. */
  endpoint?: NodeEndpointRecord | undefined;
}

/** What a node learns from the others' entries. */
interface NodesFound {
  others: readonly NodeRecord[];
  /** The number of the last migration without which a server cannot work with the database. */
  required: number;
}

/** What a node learns when it joins. */
export interface NodesJoined extends NodesFound {
  /** Until when an earlier start under the same name counts as alive. This one is not entered then. */
  takenUntil?: number | undefined;
}

/** What a node learns when it says that it is alive. */
export interface NodesAlive extends NodesFound {
  /**
   * What became of its entry: it was there; it was removed, because the node seemed dead when another one joined, and is
   * there again; or it belongs to a later start under the same name, and was left alone.
   */
  entry: 'kept' | 'removed' | 'taken';
}

/** How other nodes and the pages reach a node. */
export interface NodeEndpointRecord {
  /** `host:port` */
  address: string;
  /** SHA-256 of the certificate that it presents there, base64url. */
  certificate: string;
  /** The subject of the bus at which it answers other nodes; absent in earlier versions. */
  probe?: string;
  /** The relay's own URL, where the settings name one. */
  relayUrl?: string | undefined;
}

/** What must be known before a command is sent to a device. */
export interface DeviceStanding {
  id: number;
  /** The epoch that the device received when it last arrived, on whichever node. */
  epoch: string;
  approved: boolean;
  /** Until when the node that holds its connection says that it is online. */
  leaseUntil: number;
}
