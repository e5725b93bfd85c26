/**
 * WebSockets of the contract. A request that asks for one is a request like any other until its handler has agreed: the guard, credentials,
 * permissions and failures are those of every route, and what refuses it is plain HTTP. Then the connection changes hands.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { fail } from './fail.ts';

/** For routes of sockets: takes the connection over, once it is one. */
export type Accept = (socket: WebSocket) => void;

/** `closeTimeout` is how long the other end may take to say goodbye before it is cut off. */
const options: ServerOptions & { closeTimeout: number } = {
  noServer: true,
  clientTracking: false,
  maxPayload: 1024 * 1024,
  maxFragments: 1024,
  perMessageDeflate: false,
  // Whoever takes the connection decides how many pings are too many.
  autoPong: false,
  closeTimeout: 2_000,
};
const sockets = new WebSocketServer(options);

const version = '13';
/** 16 bytes in base64. */
const key = /^[A-Za-z0-9+/]{22}==$/;

/** What came behind the head of a request that asks for a socket, which Node does not take for a body. */
const heads = new WeakMap<IncomingMessage, Buffer>();

/** For Node: everything else that asks to be upgraded, such as HTTP/2 without TLS, goes on as what it is. */
export const wantsSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

/** Makes a request of what Node calls an upgrade. */
export function asRequest(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  // Nobody else listens any more; what happened shows as the end of the connection.
  socket.on('error', () => {});
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  // Not `end` alone: whoever does not hang up as well would keep the connection, and no timeout of the server sees it.
  response.once('finish', () => (socket as Socket).destroySoon());
  heads.set(request, head);
  answer(request, response);
}

/**
 * Comes before all other refusals (docs/reference/jobs.md#handshake). @throws Failure when the request does not ask for a socket, or for
 * one of another version
 */
export function mustWantSocket(request: IncomingMessage, response: ServerResponse): void {
  const { 'sec-websocket-version': asked, 'sec-websocket-key': sent } = request.headers;
  // Another version is told which one there is (RFC 6455, 4.4), and so is a request for something else.
  if (!heads.has(request) || asked !== version) {
    response.setHeader('Upgrade', 'websocket');
    response.setHeader('Connection', 'Upgrade, close');
    response.setHeader('Sec-WebSocket-Version', version);
    fail('not_implemented', `This answers WebSocket requests only: Upgrade: websocket, version ${version}`);
  }
  if (!key.test(sent ?? '')) fail('invalid_headers', 'Invalid headers', { details: { 'Sec-WebSocket-Key': 'must be 16 bytes in base64' } });
}

/** @param watch calls back when the other end may go on no more; returns how to be called no more */
export function openSocket(
  request: IncomingMessage,
  response: ServerResponse,
  accept: Accept,
  watch: (ended: () => void) => () => void,
): void {
  const connection = response.socket;
  if (!connection) return;
  response.detachSocket(connection);
  // None is spoken; the library would refuse one that is badly written in words of its own.
  delete request.headers['sec-websocket-protocol'];
  sockets.handleUpgrade(request, connection, heads.get(request) ?? Buffer.alloc(0), (socket) => {
    response.statusCode = 101;
    accept(socket);
    const unwatch = watch(() => socket.close(1008, 'The key is no longer valid'));
    socket.once('close', unwatch);
  });
  // The answer has left by another way.
  response.emit('close');
}
