import type { HttpClient } from '../gateway/http-client.ts';
import { BodyReader, prepareBodies } from './bodies.ts';
import { headersOf } from './formats.ts';

/** Sends generated traces to a gateway, so that what is measured then is one trace among many. */
export async function fillStore(client: HttpClient, { seed, spans }: { seed: string; spans: number }): Promise<void> {
  const index = prepareBodies({ seed, formats: ['json'], checkpoints: [spans] });
  const others = new BodyReader(index, 'json');
  for (let nth = 0; nth < index.spans.length; nth++) await client.send('POST', '/v1/traces', headersOf('json'), others.read(nth));
  others.close();
}
