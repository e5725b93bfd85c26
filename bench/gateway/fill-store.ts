import { BodyReader, prepareBodies } from '../traffic/bodies.ts';
import { headersOf } from '../traffic/formats.ts';
import type { HttpClient } from './http-client.ts';

/** Sends generated traces to a gateway. */
export async function fillStore(client: HttpClient, { seed, spans }: { seed: string; spans: number }): Promise<void> {
  const index = prepareBodies({ seed, formats: ['json'], checkpoints: [spans] });
  const others = new BodyReader(index, 'json');
  for (let nth = 0; nth < index.spans.length; nth++) await client.send('POST', '/v1/traces', headersOf('json'), others.read(nth));
  others.close();
}
