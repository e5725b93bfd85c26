/** HTTP/2 connections and their limits. */
import { constants, type IncomingHttpHeaders, performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';

/**
 * HTTP/2 limits that Node enforces on the peer: concurrent calls, calls that are opened and reset (100 at once, 33 a second), headers (as for
 * HTTP/1), tables of header compression, invalid frames.
 */
const limits = {
  settings: {
    maxConcurrentStreams: 100,
    initialWindowSize: 256 * 1024,
    maxHeaderListSize: 16 * 1024,
    headerTableSize: 4096,
    enablePush: false,
  },
  maxHeaderListPairs: 100,
  maxDeflateDynamicTableSize: 4096,
  maxSettings: 32,
  maxSessionMemory: 4,
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  streamResetBurst: 100,
  streamResetRate: 33,
};
/** Flow control window for all calls of a connection together: unread bytes. */
const windowBytes = 1024 * 1024;
/** Pings and changes of settings between two calls. Exporters send one a second at most, or one for each answer. */
const controlFramesMax = 200;
/** A connection without a byte for this long is closed; exporters open another when they need one. */
const idleMs = 10 * 60_000;

const preface = 'PRI';
const http1Method = /^[A-Z]{3,7} /;

/**
 * @param socket readable socket
 * @param port local port
 * @returns null for another protocol, after closing the socket
 */
export function openSession(
  socket: Socket,
  port: number,
  onCall: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void,
): ServerHttp2Session | null {
  const first = socket.read() as Buffer | null;
  if (first === null) return null;
  const text = first.subarray(0, 8).toString('latin1');
  if (!text.startsWith(preface.slice(0, text.length))) {
    refuseProtocol(socket, port, text);
    return null;
  }
  socket.unshift(first);
  const session = performServerHandshake(socket, limits);
  let controlFrames = 0;
  const countControlFrame = () => {
    controlFrames++;
    if (controlFrames !== controlFramesMax) return;
    session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, 0, Buffer.from('too_many_pings'));
    session.destroy();
  };
  session.on('ping', countControlFrame).on('remoteSettings', countControlFrame);
  // Connection errors are the peer's.
  session.on('error', () => {});
  session.once('connect', () => session.setLocalWindowSize(windowBytes));
  session.setTimeout(idleMs, () => session.close());
  session.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    controlFrames = 0;
    onCall(stream, headers);
  });
  return session;
}

/** Answers OTLP/HTTP exporters with a hint; other protocols, such as TLS, would not understand it. */
function refuseProtocol(socket: Socket, port: number, firstBytes: string): void {
  if (!http1Method.test(firstBytes)) {
    socket.destroy();
    return;
  }
  const body = `Port ${port} takes OTLP/gRPC only. Send OTLP/HTTP to another port of this gateway.\n`;
  const head = `HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
  socket.end(head + body, () => socket.destroySoon());
  socket.resume();
}
