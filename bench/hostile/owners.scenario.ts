/**
 * Two gateways for one data folder, local and cloud: while one receives spans, others are started on its folder, on other ports. Each must be
 * refused with the name of the owner, and the first must not be affected. Every other time the first is killed with SIGKILL, and the next
 * owner must get the folder at once, with every acknowledged span. `--tries 20` of each kind; `--traces 30` is the number of traces.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { LockOwner } from '../../server/platform/start-refusal.ts';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import { bootstrapCloud, spawnCloud } from '../forward/cloud-process.ts';
import { type GatewayProcess, spawnGateway } from '../gateway/gateway-process.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import type { Verdict } from './scenario.ts';

interface Kind {
  name: string;
  spawn(dataDir: string, port?: number): GatewayProcess;
  /** Prepares an empty folder. @returns the headers for ingest */
  prepare(dataDir: string): Record<string, string>;
}

const kinds: Kind[] = [
  { name: 'local', spawn: (dataDir, port) => spawnGateway(dataDir, port), prepare: () => ({}) },
  {
    name: 'cloud',
    spawn: (dataDir, port) => spawnCloud(dataDir, port),
    prepare: (dataDir) => {
      const { api_key, app_id } = bootstrapCloud(dataDir);
      return { Authorization: api_key, 'X-Service-App-Id': app_id };
    },
  },
];

export async function run(options: string[]): Promise<Verdict[]> {
  const { values } = parseArgs({
    args: options,
    options: { tries: { type: 'string', default: '20' }, traces: { type: 'string', default: '30' } },
  });
  const verdicts: Verdict[] = [];
  for (const kind of kinds) verdicts.push(...(await new Owners(kind, Number(values.traces)).run(Number(values.tries))));
  return verdicts;
}

class Owners {
  readonly #kind: Kind;
  readonly #traces: string[];
  readonly #folder;
  readonly #headers: Record<string, string>;
  /** Acknowledged spans by trace. */
  readonly #acknowledged = new Map<string, number>();
  readonly #problems: string[] = [];
  #refused = 0;
  #failedSends = 0;
  #kills = 0;

  constructor(kind: Kind, traces: number) {
    this.#kind = kind;
    this.#folder = makeScratchFolder(`owners-${kind.name}`);
    this.#headers = kind.prepare(this.#folder);
    this.#traces = Array.from({ length: traces }, () => randomBytes(16).toString('hex'));
  }

  async run(tries: number): Promise<Verdict[]> {
    let first = this.#kind.spawn(this.#folder);
    let url = await first.ready;
    for (let round = 1; round <= tries; round++) {
      await this.#try(first, url);
      if (round % 2 === 0) {
        await first.kill();
        this.#kills += 1;
        first = this.#kind.spawn(this.#folder);
        url = await first.ready;
      }
    }
    const wrong = await this.#wrongTraces(url);
    const code = await first.stop();
    const { name } = this.#kind;
    if (code !== 0) this.#problems.push(`the last owner ended with ${code}`);
    if (this.#problems.length === 0) removeFolder(this.#folder);
    const spans = [...this.#acknowledged.values()].reduce((sum, count) => sum + count, 0);
    return [
      {
        what: `${name}: ${this.#refused} of ${tries} second gateways refused with folder, process and port of the owner`,
        ok: this.#refused === tries,
      },
      { what: `${name}: the first accepted everything meanwhile, ${this.#failedSends} requests failed`, ok: this.#failedSends === 0 },
      { what: `${name}: the folder was free after each of ${this.#kills} kills`, ok: this.#problems.length === 0 },
      { what: `${name}: ${wrong} of ${this.#traces.length} traces wrong, of ${spans} acknowledged spans`, ok: wrong === 0 && spans > 0 },
      ...this.#problems.map((problem) => ({ what: `${name}: ${problem} (kept in ${this.#folder})`, ok: false })),
    ];
  }

  /** Starts a second gateway, which must be refused, while spans are sent to the first. */
  async #try(first: GatewayProcess, url: string): Promise<void> {
    const second = this.#kind.spawn(this.#folder);
    const outcome = second.ready.then(
      () => 'ready' as const,
      () => 'refused' as const,
    );
    let isOver = false;
    void outcome.then(() => (isOver = true));
    do for (const trace of this.#traces) await this.#send(url, trace);
    while (!isOver);
    if ((await outcome) === 'ready') {
      this.#problems.push(`a second gateway started at ${await second.ready}`);
      const address = await second.ready;
      for (const trace of this.#traces) await this.#send(address, trace);
      await second.kill();
    } else if (this.#namesOwner(second.stderr(), first.pid, url) && (await second.stop()) === 1) this.#refused += 1;
    else this.#problems.push(`stderr of a second gateway: ${second.stderr()}`);
    const owner = JSON.parse(readFileSync(join(this.#folder, 'owner.json'), 'utf8')) as LockOwner;
    if (owner.pid !== first.pid) this.#problems.push(`owner.json names process ${owner.pid}, not ${first.pid}`);
  }

  #namesOwner(stderr: string, pid: number, url: string): boolean {
    const holder = `(process ${pid} on ${hostname()}, port ${new URL(url).port}, running since `;
    return (
      stderr.startsWith(`The data folder ${this.#folder} is in use by the ${this.#kind.name} gateway ${holder}`) &&
      stderr.trim().split('\n').length === 1
    );
  }

  async #send(url: string, traceId: string): Promise<void> {
    const response = await fetch(`${url}/v1/traces`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...this.#headers },
      body: JSON.stringify(aRequest([aSpan({ traceId, attributes: { 'gen_ai.usage.input_tokens': 7 } })])),
    }).catch(() => null);
    await response?.arrayBuffer();
    if (response?.status === 200) this.#acknowledged.set(traceId, (this.#acknowledged.get(traceId) ?? 0) + 1);
    else this.#failedSends += 1;
  }

  /** Counts traces whose roll-up does not match the acknowledged spans. */
  async #wrongTraces(url: string): Promise<number> {
    const answer = await fetch(`${url}/v1/traces?limit=1000`, { headers: this.#headers });
    const { data } = (await answer.json()) as { data: { id: string; span_count: number; tokens: number }[] };
    const stored = new Map(data.map((trace) => [trace.id, trace]));
    return this.#traces.filter((id) => {
      const [count, trace] = [this.#acknowledged.get(id) ?? 0, stored.get(id)];
      return trace?.span_count !== count || trace.tokens !== 7 * count;
    }).length;
  }
}
