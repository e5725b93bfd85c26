/**
 * Limits of what one caller may use at a time: connections, streams (server-sent events and the sockets of workers) and pending requests.
 * Rates are limited elsewhere (rate-limits.ts); this is about what is open now. All numbers are here.
 *
 * Streams, requests and ingest have pools of their own, which together are no more than the limit of connections. So a full pool never
 * affects another one, and ingest always has its share. Idle connections, which are in no pool, are closed in favour of new ones.
 */

/** Limits for one kind. Null for no limit but `all`. */
export interface Share {
  all: number;
  /** For one IPv4 address, or one IPv6 network. */
  perNetwork: number | null;
  perTenant: number | null;
  /** For one login or one key. */
  perLogin: number | null;
}

export interface ConnectionShare {
  all: number;
  perNetwork: number | null;
  /** Limit of connections before their first request. Beyond it the oldest is closed. */
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
/** A developer's machine: dozens of agents, a few windows. */
const localConnections = 2048;
const connectionsMin = 32;
/** There are only a few decode and read threads: more requests at a time would only wait longer. */
const requestsMax = 512;

/** The other half of the open files is for the stores and outgoing connections. */
const connectionsWith = (limit: number, openFiles: number) => Math.min(limit, Math.max(connectionsMin, Math.floor(openFiles / 2)));

const withoutShares = (all: number): Share => ({ all, perNetwork: null, perTenant: null, perLogin: null });

/** On a local gateway all requests come from one address and one user, so there are no shares. */
export function localShares(openFiles: number): ShareTable {
  const all = connectionsWith(localConnections, openFiles);
  const requests = withoutShares(Math.min(requestsMax, all / 4));
  return {
    connections: { all, perNetwork: null, silent: all / 4, silentPerNetwork: null },
    streams: withoutShares(all / 2),
    ingest: requests,
    requests,
  };
}

export function cloudShares(openFiles: number): ShareTable {
  const all = connectionsWith(cloudConnections, openFiles);
  const requests = Math.min(requestsMax, all / 4);
  return {
    // An office or cluster behind one address has hundreds; blocking others takes eight addresses.
    connections: { all, perNetwork: all / 8, silent: all / 4, silentPerNetwork: Math.min(64, all / 16) },
    // A window has one stream, and people have a few windows. A worker has one socket, and a second one while it reconnects.
    streams: { all: all / 2, perNetwork: all / 16, perTenant: Math.min(64, all / 16), perLogin: Math.min(8, all / 32) },
    // An exporter sends one batch at a time: a key has as many senders as a tenant has machines.
    ingest: { all: requests, perNetwork: requests / 2, perTenant: requests / 4, perLogin: requests / 4 },
    // A page sends a handful of requests at once, and browsers at most six.
    requests: { all: requests, perNetwork: requests / 2, perTenant: requests / 4, perLogin: requests / 8 },
  };
}
