/** Looks at a cloud before anything is kept of it: whether it is one, whether the key opens it, and whether traces would come back. */

import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { jsonOf } from '../platform/json.ts';
import { isKeyValue, keyStart } from '../platform/key-form.ts';
import { CloudLine, problemOfAddress } from './cloud-line.ts';
import { type CloudAnswer, codeOf, verdictOf } from './verdict.ts';

/** What somebody entered. */
export interface Address {
  url: string;
  app_id: string;
  key: string;
}

/** Why an address or a key is not taken, beside the field that it is about. */
export class DestinationProblem extends Error {
  readonly field: keyof Address;

  constructor(field: keyof Address, message: string) {
    super(message);
    this.field = field;
  }
}

const examineMs = 10_000;
const nothing = gzipSync('{"resourceSpans":[]}');
const capabilities = z.looseObject({ installation: z.string().optional(), forwards_to: z.array(z.string()).optional() });

/**
 * @param own names our store
 * @returns what names the store over there; null for one that does not say
 * @throws DestinationProblem
 */
export async function examine({ url, app_id, key }: Address, own: string): Promise<string | null> {
  const wrong = problemOfAddress(url);
  if (wrong) throw new DestinationProblem('url', wrong);
  if (!isKeyValue(key)) throw new DestinationProblem('key', `This is no whole key. One begins with ${keyStart} and has 43 characters`);
  const line = new CloudLine({ url, key, appId: app_id, timeoutMs: examineMs });
  try {
    const there = await installationAt(line, own);
    const problem = problemOfTrial(await line.post('/v1/traces', nothing, 'trial'));
    if (problem) throw problem;
    return there;
  } finally {
    line.close();
  }
}

/**
 * Whose address it is, asked without the key.
 * @throws DestinationProblem when it is ours, or when what we send there comes back
 */
export async function installationAt(line: CloudLine, own: string): Promise<string | null> {
  const answer = await line.look('/v1/capabilities');
  if (answer.kind !== 'answered' || answer.status !== 200) return null;
  const said = capabilities.safeParse(jsonOf(answer.body));
  if (!said.success) return null;
  const { installation = null, forwards_to = [] } = said.data;
  if (installation === own) throw new DestinationProblem('url', 'This is the gateway that you are using. Its traces are here already');
  if (forwards_to.includes(own))
    throw new DestinationProblem('url', 'That gateway forwards to this one: traces would go round in a circle');
  return installation;
}

/** A cloud without room is one all the same: it says so when there is something to send. */
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
        return new DestinationProblem('url', 'What answers there is no Glasshouse, or a sign-in page is in the way');
      return new DestinationProblem('url', `It does not answer now (${code})`);
    case 'split':
      return new DestinationProblem('app_id', `${verdict.message} (${code})`);
    case 'pause':
      if (verdict.reason === 'key') return new DestinationProblem('key', `The cloud does not take this key (${code})`);
      if (verdict.reason === 'permission') return new DestinationProblem('key', `This key may not write traces of this app (${code})`);
      if (verdict.reason === 'certificate') return new DestinationProblem('url', `It cannot show that it is who it says (${code})`);
      if (code.endsWith('app_not_found')) return new DestinationProblem('app_id', 'The cloud has no such app');
      return new DestinationProblem('url', `What answers there takes no traces (${code})`);
  }
}
