/** Checks a cloud before it is stored: that it is a Glasshouse, that it accepts the key, and that traces do not loop. */

import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { jsonOf } from '../platform/json.ts';
import { isKeyValue, keyStart } from '../platform/key-form.ts';
import { CloudLine, problemOfAddress } from './cloud-line.ts';
import { type CloudAnswer, codeOf, verdictOf } from './verdict.ts';

/** Entered address. */
export interface Address {
  url: string;
  app_id: string;
  key: string;
}

/** Why a destination is refused, with the field that causes it. */
export class DestinationProblem extends Error {
  readonly field: keyof Address;

  constructor(field: keyof Address, message: string) {
    super(message);
    this.field = field;
  }
}

const examineMs = 10_000;
const emptyRequest = gzipSync('{"resourceSpans":[]}');
const capabilities = z.looseObject({
  url: z.string().optional(),
  installation: z.string().optional(),
  forwards_to: z.array(z.string()).optional(),
});

/** What a cloud tells about itself without a key. */
export interface CloudIdentity {
  /** Id of its store; null when it has none. */
  installation: string | null;
  /** Where people open its viewer; null when it does not know. */
  viewer_url: string | null;
}
const unknownCloud: CloudIdentity = { installation: null, viewer_url: null };

/**
 * @param own id of our store
 * @throws DestinationProblem
 */
export async function examine({ url, app_id, key }: Address, own: string): Promise<CloudIdentity> {
  const addressProblem = problemOfAddress(url);
  if (addressProblem) throw new DestinationProblem('url', addressProblem);
  if (!isKeyValue(key)) throw new DestinationProblem('key', `Incomplete key. A key begins with ${keyStart} and has 43 characters`);
  const line = new CloudLine({ url, key, appId: app_id, timeoutMs: examineMs });
  try {
    const identity = (await identityAt(line, url, own)) ?? unknownCloud;
    const problem = problemOfTrial(await line.post('/v1/traces', emptyRequest, 'trial'));
    if (problem) throw problem;
    return identity;
  } finally {
    line.close();
  }
}

/**
 * Asks a cloud who it is, without the key. Null when it does not say.
 * @throws DestinationProblem when it is our store, or when it forwards to us
 */
export async function identityAt(line: CloudLine, url: string, own: string): Promise<CloudIdentity | null> {
  const answer = await line.get('/v1/capabilities');
  if (answer.kind !== 'answered' || answer.status !== 200) return null;
  const parsed = capabilities.safeParse(jsonOf(answer.body));
  if (!parsed.success) return null;
  const { installation = null, forwards_to = [], url: published = '' } = parsed.data;
  if (installation === own) throw new DestinationProblem('url', 'This is the gateway that you are using, and its traces are here already');
  if (forwards_to.includes(own)) throw new DestinationProblem('url', 'That gateway forwards to this one: traces would loop');
  return { installation, viewer_url: viewerOf(url, published) };
}

/** A cloud behind a proxy that was not told its public address reports one with http, which is not used. */
function viewerOf(url: string, published: string): string | null {
  if (problemOfAddress(published) !== null) return null;
  return url.startsWith('https:') && !published.startsWith('https:') ? null : published.replace(/\/+$/, '');
}

/** A cloud without quota is valid. It refuses later, when something is sent. */
function problemOfTrial(answer: CloudAnswer): DestinationProblem | null {
  const verdict = verdictOf(answer, 'spans', 0);
  const code = codeOf(answer);
  switch (verdict.do) {
    case 'advance':
    case 'slow':
    case 'probe':
      return null;
    case 'wait':
      if (verdict.why === 'portal')
        return new DestinationProblem('url', 'The address is not a Glasshouse, or a network sign-in page answers for it');
      return new DestinationProblem('url', `No answer (${code})`);
    case 'split':
      return new DestinationProblem('app_id', `${verdict.message} (${code})`);
    case 'pause':
      if (verdict.reason === 'key') return new DestinationProblem('key', `The cloud does not accept this key (${code})`);
      if (verdict.reason === 'permission') return new DestinationProblem('key', `This key may not write traces of this app (${code})`);
      if (verdict.reason === 'certificate') return new DestinationProblem('url', `Its certificate is not valid for this address (${code})`);
      if (code.endsWith('app_not_found')) return new DestinationProblem('app_id', 'The cloud has no such app');
      return new DestinationProblem('url', `The server does not accept traces (${code})`);
  }
}
