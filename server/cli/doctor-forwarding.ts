/** Checks of forwarding for `glasshouse doctor`: from the running gateway, else from the store. */
import type { Destination } from '../../shared/contract/operations/destination.ts';
import { summariseDestination } from '../../shared/destination-words.ts';
import { inspectForwarding, type StoredDestination } from '../entry/inspect-forwarding.ts';
import { CloudLine, problemOfAddress } from '../forwarding/cloud-line.ts';
import { codeOf } from '../forwarding/verdict.ts';
import type { Finding } from './doctor-checks.ts';
import type { ProbeResult } from './local-gateway.ts';

const check = 'forwarding';
const timeoutMs = 5_000;
const off: Finding = { level: 'ok', check, message: 'Off: no trace leaves this machine' };

export async function forwardingChecks(probe: ProbeResult, dataDir: string): Promise<Finding[]> {
  const running = probe.kind === 'glasshouse' ? await listOf(probe.gateway.client) : null;
  if (running) return running.length === 0 ? [off] : (await Promise.all(running.map((destination) => findingsFor(destination)))).flat();
  const stored = await inspectForwarding(dataDir);
  if (stored === null) return [];
  return stored.length === 0 ? [off] : (await Promise.all(stored.map((destination) => findingsFor(destination, destination)))).flat();
}

/** Null for a gateway of a version without forwarding, and for one that cannot read its store, which other checks report. */
const listOf = (client: Extract<ProbeResult, { kind: 'glasshouse' }>['gateway']['client']): Promise<Destination[] | null> =>
  client.forwarding.list().then(
    ({ data }) => data,
    () => null,
  );

const levels = { ok: 'ok', plain: 'ok', warm: 'warning', err: 'problem' } as const;

async function findingsFor(destination: Destination, stored?: StoredDestination): Promise<Finding[]> {
  const { name, url, waiting, dead_letters, refused, refusal, last_error, last_success, state } = destination;
  const { tone, line, help } = summariseDestination(destination, (iso) => iso, String);
  const facts = [
    `${name} to ${url}: ${stored && tone === 'ok' ? 'no gateway is running, so nothing is sent' : line}`,
    `${waiting.spans} spans queued${waiting.oldest ? `, the oldest since ${waiting.oldest}` : ''}`,
    `last success ${last_success ?? 'never'}`,
    last_error && `last error ${last_error.at}: ${last_error.message} (${last_error.code})`,
    keyOf(destination, stored),
  ];
  const findings: Finding[] = [
    { level: levels[tone], check, message: facts.filter(Boolean).join('; '), ...(tone !== 'ok' && help && { advice: help }) },
  ];
  if (dead_letters > 0)
    findings.push({
      level: 'warning',
      check,
      message: `${name}: ${dead_letters} dead letters (items that cannot be sent)`,
      advice: 'Inspect them on the Cloud page of the viewer.',
    });
  if (refused > 0) findings.push({ level: 'warning', check, message: `${name}: the cloud refused ${refused} spans: ${refusal}` });
  if (state.is !== 'off') findings.push(...(await reachability(destination)));
  return findings;
}

function keyOf({ key }: Destination, stored?: StoredDestination): string {
  if (!stored)
    return key.shown === null
      ? 'no key'
      : `key ${key.shown}, ${key.kept === 'environment' ? 'from the environment' : 'stored on this machine'}`;
  if (stored.hasKeyInFile === null) return 'the key file cannot be read';
  return stored.hasKeyInFile
    ? 'its key is in secrets.json of the data folder'
    : 'no key in secrets.json; the desktop app keeps it in the keychain';
}

/** Whether the destination answers: from this shell, without the key. */
async function reachability({ name, url }: Destination): Promise<Finding[]> {
  const problem = problemOfAddress(url);
  if (problem) return [{ level: 'problem', check, message: `${name}: ${url} is not an address to send to`, advice: problem }];
  const connection = new CloudLine({ url, key: '', appId: '', timeoutMs });
  try {
    const answer = await connection.get('/v1/capabilities');
    if (answer.kind === 'answered' && answer.status === 200) return [{ level: 'ok', check, message: `${name}: ${url} answers` }];
    const advice = 'Check the network of this machine, the address, and whether the cloud is running.';
    return [{ level: 'warning', check, message: `${name}: ${url} does not answer like a cloud (${codeOf(answer)})`, advice }];
  } finally {
    connection.close();
  }
}
