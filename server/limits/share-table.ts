/**
 * How much of a gateway one caller may hold at a time: connections, streams (server-sent events and the sockets of workers) and requests
 * that wait for their answers. Rates are counted elsewhere (rate-limits.ts); this is about what is open now. All numbers are here.
 *
 * Streams, requests and ingest have pools of their own, which together are no more than the connections there may be. So a pool that is
 * full never keeps another out, and the part that is left to ingest is there whatever everybody else does. Connections that are in none
 * of them, because they have asked for nothing or wait for their next request, make room for newcomers.
 */

/** How many of one kind there may be at a time. Null: no limit but that of all together. */
export interface Share {
  all: number;
  /** For one address, or one network where addresses are free. */
  perNetwork: number | null;
  perTenant: number | null;
  /** For one login or one key. */
  perLogin: number | null;
}

export interface ConnectionShare {
  all: number;
  perNetwork: number | null;
  /** Connections before their first request. Beyond it the oldest is closed. */
  silent: number;
  silentPerNetwork: number | null;
}

export interface ShareTable {
  connections: ConnectionShare;
  streams: Share;
  ingest: Share;
  /** Every other request. */
  requests: Share;
}

/** A team of hundreds has a few thousand connections, most of them idle. */
const cloudConnections = 4096;
/** A machine of one's own: dozens of agents, a few windows. */
const localConnections = 2048;
const connectionsLeast = 32;
/** The thread that takes requests apart and the readers of the store are a handful: more at a time would only wait longer. */
const requestsMost = 512;

/** The other half of the files is for the stores and outgoing connections. */
const connectionsWith = (most: number, openFiles: number) => Math.min(most, Math.max(connectionsLeast, Math.floor(openFiles / 2)));

const inAll = (all: number): Share => ({ all, perNetwork: null, perTenant: null, perLogin: null });

/** On a local gateway all requests come from one address and one user, so there are no shares. */
export function localShares(openFiles: number): ShareTable {
  const all = connectionsWith(localConnections, openFiles);
  const requests = inAll(Math.min(requestsMost, all / 4));
  return {
    connections: { all, perNetwork: null, silent: all / 4, silentPerNetwork: null },
    streams: inAll(all / 2),
    ingest: requests,
    requests,
  };
}

export function cloudShares(openFiles: number): ShareTable {
  const all = connectionsWith(cloudConnections, openFiles);
  const requests = Math.min(requestsMost, all / 4);
  return {
    // An office or cluster behind one address has hundreds; keeping others out takes eight addresses.
    connections: { all, perNetwork: all / 8, silent: all / 4, silentPerNetwork: Math.min(64, all / 16) },
    // A window has one stream, and people have a few windows. A worker has one socket, and a second while it changes over.
    streams: { all: all / 2, perNetwork: all / 16, perTenant: Math.min(64, all / 16), perLogin: Math.min(8, all / 32) },
    // An exporter sends one batch at a time: a key has as many senders as a tenant has machines.
    ingest: { all: requests, perNetwork: requests / 2, perTenant: requests / 4, perLogin: requests / 4 },
    // A page sends a handful of requests at once, and browsers at most six.
    requests: { all: requests, perNetwork: requests / 2, perTenant: requests / 4, perLogin: requests / 8 },
  };
}
