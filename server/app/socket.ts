/**
 * WebSockets of the contract. Until its handler accepts, an upgrade is an ordinary request: the guard, authentication, permissions and errors
 * are those of every route, and refusals are plain HTTP. Then the socket is handed to the handler.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { fail } from './fail.ts';

/** For WebSocket routes: receives the open connection. */
export type Accept = (socket: WebSocket) => void;

/** `closeTimeout` is how long the peer may take to close before it is cut off. */
const options: ServerOptions & { closeTimeout: number } = {
  noServer: true,
  clientTracking: false,
  maxPayload: 1024 * 1024,
  maxFragments: 1024,
  perMessageDeflate: false,
  // The receiver limits pings itself.
  autoPong: false,
  closeTimeout: 2_000,
};
const sockets = new WebSocketServer(options);

const version = '13';
/** 16 bytes in base64. */
const key = /^[A-Za-z0-9+/]{22}==$/;

/** Bytes after the head of an upgrade request, which Node does not treat as its body. */
const heads = new WeakMap<IncomingMessage, Buffer>();

/** For Node: other upgrades, such as HTTP/2 without TLS, stay ordinary requests. */
export const wantsSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

/** Turns Node's upgrade event into a request. */
export function asRequest(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  // Node has removed its own listener. An error also ends the connection.
  socket.on('error', () => {});
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  // Not only `end`: a peer that does not close would keep the connection, beyond the server's timeouts.
  response.once('finish', () => (socket as Socket).destroySoon());
  heads.set(request, head);
  answer(request, response);
}

/**
 * Comes before all other refusals (docs/reference/jobs.md#handshake). @throws Failure when the request does not ask for a socket, or for
 * one of another version
 */
export function assertSocketRequest(request: IncomingMessage, response: ServerResponse): void {
  const { 'sec-websocket-version': requestedVersion, 'sec-websocket-key': sent } = request.headers;
  // RFC 6455, 4.4: the answer names the supported version.
  if (!heads.has(request) || requestedVersion !== version) {
    response.setHeader('Upgrade', 'websocket');
    response.setHeader('Connection', 'Upgrade, close');
    response.setHeader('Sec-WebSocket-Version', version);
    fail('not_implemented', `This answers WebSocket requests only: Upgrade: websocket, version ${version}`);
  }
  if (!key.test(sent ?? '')) fail('invalid_headers', 'Invalid headers', { details: { 'Sec-WebSocket-Key': 'must be 16 bytes in base64' } });
}

/** @param watch calls back when the peer loses its permission; returns the function that stops it */
export function openSocket(
  request: IncomingMessage,
  response: ServerResponse,
  accept: Accept,
  watch: (ended: () => void) => () => void,
): void {
  const connection = response.socket;
  if (!connection) return;
  response.detachSocket(connection);
  // No subprotocol is supported; the library would refuse a malformed header in its own format.
  delete request.headers['sec-websocket-protocol'];
  sockets.handleUpgrade(request, connection, heads.get(request) ?? Buffer.alloc(0), (socket) => {
    response.statusCode = 101;
    accept(socket);
    const unwatch = watch(() => socket.close(1008, 'The key is no longer valid'));
    socket.once('close', unwatch);
  });
  // The library has sent the answer.
  response.emit('close');
}
