/** What `glasshouse doctor` says of forwarding: from the gateway that runs, else from the store. */
import type { Destination } from '../../shared/contract/operations/destination.ts';
import { summariseDestination } from '../../shared/destination-words.ts';
import { inspectForwarding, type KeptDestination } from '../entry/inspect-forwarding.ts';
import { CloudLine, problemOfAddress } from '../forwarding/cloud-line.ts';
import { codeOf } from '../forwarding/verdict.ts';
import type { Judged } from './doctor-checks.ts';
import type { Answering } from './local-gateway.ts';

const what = 'forwarding';
const reachMs = 5_000;
const off: Judged = { how: 'good', what, says: 'Off: no trace leaves this machine' };

export async function forwardingChecks(answering: Answering, dataDir: string): Promise<Judged[]> {
  const running = answering.kind === 'glasshouse' ? await listOf(answering.gateway.client) : null;
  if (running) return running.length === 0 ? [off] : (await Promise.all(running.map((each) => judge(each)))).flat();
  const kept = await inspectForwarding(dataDir);
  if (kept === null) return [];
  return kept.length === 0 ? [off] : (await Promise.all(kept.map((each) => judge(each, each)))).flat();
}

/** Null for a gateway of a version that does not forward, and one that cannot read its store, which others say. */
const listOf = (client: Extract<Answering, { kind: 'glasshouse' }>['gateway']['client']): Promise<Destination[] | null> =>
  client.forwarding.list().then(
    ({ data }) => data,
    () => null,
  );

const hows = { ok: 'good', plain: 'good', warm: 'odd', err: 'bad' } as const;

async function judge(destination: Destination, kept?: KeptDestination): Promise<Judged[]> {
  const { name, url, waiting, dead_letters, refused, refusal, last_error, last_success, state } = destination;
  const { tone, line, help } = summariseDestination(destination, (iso) => iso, String);
  const facts = [
    `${name} to ${url}: ${kept && tone === 'ok' ? 'no gateway runs, so nothing is sent now' : line}`,
    `${waiting.spans} spans wait${waiting.oldest ? `, the oldest since ${waiting.oldest}` : ''}`,
    `last taken ${last_success ?? 'never'}`,
    last_error && `last error ${last_error.at}: ${last_error.message} (${last_error.code})`,
    keyOf(destination, kept),
  ];
  const judged: Judged[] = [
    { how: hows[tone], what, says: facts.filter(Boolean).join('; '), ...(tone !== 'ok' && help && { todo: help }) },
  ];
  if (dead_letters > 0)
    judged.push({
      how: 'odd',
      what,
      says: `${name}: ${dead_letters} dead letters (items that cannot be sent)`,
      todo: 'Look at them on the page Cloud of the viewer.',
    });
  if (refused > 0) judged.push({ how: 'odd', what, says: `${name}: the cloud did not keep ${refused} spans: ${refusal}` });
  if (state.is !== 'off') judged.push(...(await reach(destination)));
  return judged;
}

function keyOf({ key }: Destination, kept?: KeptDestination): string {
  if (!kept)
    return key.shown === null
      ? 'no key'
      : `key ${key.shown}, ${key.kept === 'environment' ? 'from the environment' : 'kept on this machine'}`;
  if (kept.hasKeyInFile === null) return 'the file of keys cannot be read';
  return kept.hasKeyInFile
    ? 'its key is in secrets.json of the data folder'
    : 'no key in secrets.json; a desktop app keeps it in the keychain';
}

/** From this shell, without the key. */
async function reach({ name, url }: Destination): Promise<Judged[]> {
  const problem = problemOfAddress(url);
  if (problem) return [{ how: 'bad', what, says: `${name}: ${url} is no address to send to`, todo: problem }];
  const line = new CloudLine({ url, key: '', appId: '', timeoutMs: reachMs });
  try {
    const answer = await line.look('/v1/capabilities');
    if (answer.kind === 'answered' && answer.status === 200) return [{ how: 'good', what, says: `${name}: ${url} answers` }];
    const todo = 'Look at the network of this machine, at the address, and whether the cloud runs.';
    return [{ how: 'odd', what, says: `${name}: ${url} does not answer as a cloud does (${codeOf(answer)})`, todo }];
  } finally {
    line.close();
  }
}
