/**
 * Connections of a gateway by state. Idle connections never keep new ones out: those without a first request and those kept alive for the
 * next one are closed in favour of new ones, oldest first.
 */
import type { Socket } from 'node:net';
import { type ClientAddresses, plainAddress } from '../identity/client-addresses.ts';
import { networkOf } from '../limits/network-of.ts';
import type { ConnectionShare } from '../limits/share-table.ts';

/** How long a connection may be open without a single byte. After its first byte `headersTimeout` applies. */
const silentMsMax = 5_000;
/** Connections younger than this are about to send, so a burst of them is no reason to close any. */
const freshMs = 1_000;
/** Above its limit the gateway answers that it is full. Above this multiple it closes connections unanswered: a last resort, never expected. */
const ceilingFactor = 1.25;

/** Closes a connection as its protocol demands. @param isSilent it has not sent a request yet */
type CloseConnection = (socket: Socket, isSilent: boolean) => void;

interface TrackedConnection {
  socket: Socket;
  close: CloseConnection;
  /** Null where the connections of one address are not counted. */
  group: Group | null;
  openedMs: number;
  /** How many of its requests wait for their answers. */
  answering: number;
  /** It exceeded the limit when it was opened. */
  isOver: boolean;
}

/** In each set the oldest is first. */
class Group {
  readonly network: string;
  count = 0;
  readonly silent = new Set<TrackedConnection>();
  readonly idle = new Set<TrackedConnection>();

  constructor(network: string) {
    this.network = network;
  }
}

export class Connections {
  readonly #share: ConnectionShare;
  readonly #clients: ClientAddresses;
  readonly #connections = new WeakMap<Socket, TrackedConnection>();
  readonly #all = new Group('');
  readonly #groups = new Map<string, Group>();

  constructor(share: ConnectionShare, clients: ClientAddresses) {
    this.#share = share;
    this.#clients = clients;
  }

  /** Adds a connection that has just been opened. */
  add(socket: Socket, close: CloseConnection = closeHttp): void {
    const connection: TrackedConnection = {
      socket,
      close,
      group: this.#groupOf(socket),
      openedMs: performance.now(),
      answering: 0,
      isOver: false,
    };
    this.#connections.set(socket, connection);
    for (const group of groupsOf(connection, this.#all)) {
      group.count++;
      group.silent.add(connection);
    }
    socket.once('close', () => this.#remove(connection));
    this.#makeRoom(connection);
  }

  /** A request arrived. False when the connection is over the limit and still cannot be admitted. */
  begin(socket: Socket): boolean {
    const connection = this.#connections.get(socket);
    if (!connection) return true;
    connection.answering++;
    this.#unlist(connection);
    if (connection.isOver) connection.isOver = this.#isFull(connection);
    return !connection.isOver;
  }

  /** The request has been answered. */
  end(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (!connection || --connection.answering > 0 || socket.destroyed) return;
    for (const group of groupsOf(connection, this.#all)) group.idle.add(connection);
  }

  /** Call about once a second: closes connections without a first request. */
  checkTimeouts(): void {
    const silentSince = performance.now() - silentMsMax;
    this.#trim(this.#all, this.#share.silent);
    for (const group of this.#groups.values()) this.#trim(group, this.#share.silentPerNetwork);
    for (const connection of this.#all.silent) {
      if (connection.openedMs > silentSince) break;
      if (connection.socket.bytesRead === 0) this.#close(connection);
    }
  }

  #groupOf({ remoteAddress }: Socket): Group | null {
    // All clients behind a proxy have its address.
    if (this.#share.perNetwork === null || remoteAddress === undefined || this.#clients.isProxy(remoteAddress)) return null;
    const network = networkOf(plainAddress(remoteAddress));
    const group = this.#groups.get(network) ?? new Group(network);
    this.#groups.set(network, group);
    return group;
  }

  #makeRoom(connection: TrackedConnection): void {
    const { group } = connection;
    const { silent, silentPerNetwork } = this.#share;
    if (group) this.#trim(group, silentPerNetwork);
    this.#trim(this.#all, silent);
    if (group && this.#isOver(group, this.#share.perNetwork)) this.#closeOneOf(group, connection);
    if (this.#isOver(this.#all, this.#share.all)) this.#closeOneOf(this.#all, connection);
    connection.isOver = this.#isFull(connection);
    if (this.#isOver(this.#all, Math.ceil(this.#share.all * ceilingFactor))) connection.socket.destroy();
  }

  /** Closes the oldest silent connections beyond a limit, except new ones. */
  #trim({ silent }: Group, most: number | null): void {
    const freshSince = performance.now() - freshMs;
    for (const connection of silent) {
      if (most === null || silent.size <= most || connection.openedMs > freshSince) return;
      this.#close(connection);
    }
  }

  #isFull({ group }: TrackedConnection): boolean {
    return this.#isOver(this.#all, this.#share.all) || (group !== null && this.#isOver(group, this.#share.perNetwork));
  }

  #isOver = ({ count }: Group, most: number | null): boolean => most !== null && count > most;

  /** Closes the oldest connection that waits for its next request, else the oldest without a first one, but not the newcomer. */
  #closeOneOf({ idle, silent }: Group, newcomer: TrackedConnection): void {
    const first = oldest(idle) ?? oldest(silent);
    if (first !== newcomer) this.#close(first);
  }

  #close(connection: TrackedConnection | undefined): void {
    if (!connection) return;
    const isSilent = this.#all.silent.has(connection);
    this.#remove(connection);
    connection.close(connection.socket, isSilent);
  }

  #unlist(connection: TrackedConnection): void {
    for (const group of groupsOf(connection, this.#all)) {
      group.silent.delete(connection);
      group.idle.delete(connection);
    }
  }

  /** Does nothing the second time. */
  #remove(connection: TrackedConnection): void {
    if (!this.#connections.delete(connection.socket)) return;
    this.#unlist(connection);
    for (const group of groupsOf(connection, this.#all)) group.count--;
    if (connection.group?.count === 0) this.#groups.delete(connection.group.network);
  }
}

function closeHttp(socket: Socket, isSilent: boolean): void {
  if (isSilent) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  socket.destroySoon();
}

const groupsOf = ({ group }: TrackedConnection, all: Group): Group[] => (group ? [all, group] : [all]);

const oldest = (set: Set<TrackedConnection>): TrackedConnection | undefined => set.values().next().value;
