import { BodyReader, prepareBodies } from '../traffic/bodies.ts';
import { headersOf } from '../traffic/formats.ts';
import type { HttpClient } from './http-client.ts';

interface Filling {
  seed: string;
  spans: number;
  /** Awaited before each body. @param part of the bodies that were sent before it, from 0 to 1 */
  beforeBody?: (body: Buffer, part: number) => Promise<void>;
}

/** Sends generated traces to a gateway. */
export async function fillStore(client: HttpClient, { seed, spans, beforeBody }: Filling): Promise<void> {
  const index = prepareBodies({ seed, formats: ['json'], checkpoints: [spans] });
  const others = new BodyReader(index, 'json');
  for (let nth = 0; nth < index.spans.length; nth++) {
    const body = others.read(nth);
    await beforeBody?.(body, nth / index.spans.length);
    await client.send('POST', '/v1/traces', headersOf('json'), body);
  }
  others.close();
}
