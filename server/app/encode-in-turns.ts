/** Encodes long lists as JSON piece by piece: tens of megabytes at once would block the event loop. */
import { inSlices } from '../platform/in-slices.ts';
import { nextTurn } from '../platform/next-turn.ts';
import { Encoded } from '../telemetry/encoded.ts';

/** Returns the body; a `data` that is a long list is encoded in it already. */
export async function encodeInTurns(body: unknown): Promise<unknown> {
  if (typeof body !== 'object' || body === null || !('data' in body) || !Array.isArray(body.data)) return body;
  return inSlices(body.data).length === 1 ? body : { ...body, data: new Encoded(await listInTurns(body.data)) };
}

/** JSON text of a list, in a buffer of its own, made in turns of the event loop. */
export async function listInTurns(list: readonly unknown[]): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  for (const slice of inSlices(list)) {
    const items = JSON.stringify(slice).slice(1, -1);
    pieces.push(Buffer.from(`${pieces.length === 0 ? '[' : ','}${items}`));
    await nextTurn();
  }
  pieces.push(Buffer.from(']'));
  return concat(pieces);
}

function concat(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
