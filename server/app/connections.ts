/**
 * Connections of a gateway by state. Idle connections never keep others out: those before their first request and those kept alive for the
 * next one are closed in favour of new ones, oldest first.
 */
import type { Socket } from 'node:net';
import { type ClientAddresses, plainAddress } from '../identity/client-addresses.ts';
import { networkOf } from '../limits/network-of.ts';
import type { ConnectionShare } from '../limits/share-table.ts';

/** How long a connection may be open without a single byte. One that has begun to send has `headersTimeout`. */
const speechlessMs = 5_000;
/** New connections are about to send, so a burst of them is no reason to close any. */
const freshMs = 1_000;
/** Beyond its limit the gateway answers that it is full. Beyond this it does not even do that: a last resort that shares should never reach. */
const ceilingFactor = 1.25;

/** Closes a connection as its protocol demands. @param isSilent no request came over it yet */
type CloseConnection = (socket: Socket, isSilent: boolean) => void;

interface Held {
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
  readonly silent = new Set<Held>();
  readonly idle = new Set<Held>();

  constructor(network: string) {
    this.network = network;
  }
}

export class Connections {
  readonly #share: ConnectionShare;
  readonly #clients: ClientAddresses;
  readonly #held = new WeakMap<Socket, Held>();
  readonly #all = new Group('');
  readonly #groups = new Map<string, Group>();

  constructor(share: ConnectionShare, clients: ClientAddresses) {
    this.#share = share;
    this.#clients = clients;
  }

  /** Takes in a connection that has just been opened. */
  add(socket: Socket, close: CloseConnection = closeHttp): void {
    const held: Held = { socket, close, group: this.#groupOf(socket), openedMs: performance.now(), answering: 0, isOver: false };
    this.#held.set(socket, held);
    for (const group of groupsOf(held, this.#all)) {
      group.count++;
      group.silent.add(held);
    }
    socket.once('close', () => this.#remove(held));
    this.#makeRoom(held);
  }

  /** A request arrived. False when the connection is over the limit and still cannot be admitted. */
  begin(socket: Socket): boolean {
    const held = this.#held.get(socket);
    if (!held) return true;
    held.answering++;
    this.#unlist(held);
    if (held.isOver) held.isOver = this.#isFull(held);
    return !held.isOver;
  }

  /** The request has been answered. */
  end(socket: Socket): void {
    const held = this.#held.get(socket);
    if (!held || --held.answering > 0 || socket.destroyed) return;
    for (const group of groupsOf(held, this.#all)) group.idle.add(held);
  }

  /** Call about once a second: closes connections without a first request. */
  checkTimeouts(): void {
    const silentSince = performance.now() - speechlessMs;
    this.#trim(this.#all, this.#share.silent);
    for (const group of this.#groups.values()) this.#trim(group, this.#share.silentPerNetwork);
    for (const held of this.#all.silent) {
      if (held.openedMs > silentSince) break;
      if (held.socket.bytesRead === 0) this.#close(held);
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

  #makeRoom(held: Held): void {
    const { group } = held;
    const { silent, silentPerNetwork } = this.#share;
    if (group) this.#trim(group, silentPerNetwork);
    this.#trim(this.#all, silent);
    if (group && this.#isOver(group, this.#share.perNetwork)) this.#closeOneOf(group, held);
    if (this.#isOver(this.#all, this.#share.all)) this.#closeOneOf(this.#all, held);
    held.isOver = this.#isFull(held);
    if (this.#isOver(this.#all, Math.ceil(this.#share.all * ceilingFactor))) held.socket.destroy();
  }

  /** Closes the oldest silent connections beyond a limit, except new ones. */
  #trim({ silent }: Group, most: number | null): void {
    const since = performance.now() - freshMs;
    for (const held of silent) {
      if (most === null || silent.size <= most || held.openedMs > since) return;
      this.#close(held);
    }
  }

  #isFull({ group }: Held): boolean {
    return this.#isOver(this.#all, this.#share.all) || (group !== null && this.#isOver(group, this.#share.perNetwork));
  }

  #isOver = ({ count }: Group, most: number | null): boolean => most !== null && count > most;

  /** Closes a connection that waits for its next request, else one without a first one, but not the newcomer. */
  #closeOneOf({ idle, silent }: Group, newcomer: Held): void {
    const first = oldest(idle) ?? oldest(silent);
    if (first !== newcomer) this.#close(first);
  }

  #close(held: Held | undefined): void {
    if (!held) return;
    const isSilent = this.#all.silent.has(held);
    this.#remove(held);
    held.close(held.socket, isSilent);
  }

  #unlist(held: Held): void {
    for (const group of groupsOf(held, this.#all)) {
      group.silent.delete(held);
      group.idle.delete(held);
    }
  }

  /** Does nothing the second time. */
  #remove(held: Held): void {
    if (!this.#held.delete(held.socket)) return;
    this.#unlist(held);
    for (const group of groupsOf(held, this.#all)) group.count--;
    if (held.group?.count === 0) this.#groups.delete(held.group.network);
  }
}

function closeHttp(socket: Socket, isSilent: boolean): void {
  if (isSilent) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  socket.destroySoon();
}

const groupsOf = ({ group }: Held, all: Group): Group[] => (group ? [all, group] : [all]);

const oldest = (set: Set<Held>): Held | undefined => set.values().next().value;
