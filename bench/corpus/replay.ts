/** Replays captures byte for byte with their own headers, in one of three orders. */
import type { HttpAnswer, HttpClient } from '../gateway/http-client.ts';
import { Random } from '../traffic/random.ts';
import type { Capture, CapturedRequest, Signal } from './captures.ts';

export const modes = ['in order', 'shuffled', 'twice over'] as const;
export type Mode = (typeof modes)[number];

export interface Replayed {
  request: CapturedRequest;
  answer: HttpAnswer;
}

/** Some vendors put a prefix before the path (Langfuse); their SDKs can be configured to use ours. */
const paths: Record<Signal, string | null> = {
  'otlp-traces': '/v1/traces',
  'otlp-logs': '/v1/logs',
  'otlp-metrics': '/v1/metrics',
  other: null,
};

export function arrange(captures: Capture[], mode: Mode, seed: string): CapturedRequest[] {
  const all = captures.flatMap(({ requests }) => requests).filter(({ signal }) => paths[signal] !== null);
  if (mode === 'twice over') return [...all, ...all];
  return mode === 'shuffled' ? new Random(`shuffle-${seed}`).shuffled(all) : all;
}

/** The shuffled replay also uses several connections at once; the others keep their order. */
export async function replay(client: HttpClient, requests: CapturedRequest[], mode: Mode): Promise<Replayed[]> {
  const replayed: Replayed[] = [];
  const queue = requests[Symbol.iterator]();
  const sender = async () => {
    for (const request of queue) {
      const { signal, headers, body } = request;
      replayed.push({ request, answer: await client.send('POST', paths[signal] ?? '', headers, body) });
    }
  };
  await Promise.all(Array.from({ length: mode === 'shuffled' ? 6 : 1 }, sender));
  return replayed;
}
