/** The agents, models, tools, users and sessions of the traffic. Sizes and frequencies are those with which the goals were set. */
import type { Prose } from './prose.ts';
import { Random } from './random.ts';
import type { Attribute } from './span.ts';

export const models = [
  'gpt-4o',
  'gpt-4o-mini',
  'claude-sonnet-4-5',
  'claude-haiku-4-5',
  'o3',
  'gemini-2.5-pro',
  'gemini-2.5-flash',
  'llama-3.3-70b',
  'mistral-large',
  'deepseek-chat',
  'qwen3-235b',
  'command-r-plus',
];

export const agents = [
  'support-triage',
  'research',
  'code-review',
  'sql-analyst',
  'travel-planner',
  'onboarding',
  'contract-reader',
  'incident-bot',
  'email-writer',
  'qa-judge',
];

export const tools = [
  'search_web',
  'read_file',
  'run_sql',
  'http_get',
  'send_email',
  'create_ticket',
  'vector_lookup',
  'python',
  'calendar',
  'grep_repo',
  'write_file',
  'translate',
];

export const errorMessages = [
  'rate limit exceeded',
  'context length exceeded',
  'tool timeout after 30000ms',
  'invalid JSON in tool arguments',
  'upstream 502',
];

const environments = ['prod', 'prod', 'prod', 'staging', 'dev'];
const regions = ['eu-west-1', 'us-east-1', 'us-west-2', 'ap-south-1'];
const openSessionsMax = 40;

interface Session {
  id: string;
  name: string;
  user: string;
}

/** The properties that all spans of one trace share. */
export interface Run {
  agent: string;
  model: string;
  session: Session | null;
  tags: string[] | null;
  shared: Attribute[];
}

export class AgentWorld {
  readonly systemPrompts: Map<string, string>;
  readonly #random: Random;
  readonly #prose: Prose;
  readonly #users = Array.from({ length: 2000 }, (_, index) => `user-${((index * 7919) % 100_003).toString(36)}`);
  readonly #tenants = Array.from({ length: 60 }, (_, index) => `tenant-${index}`);
  readonly #sessions: Session[] = [];
  #sessionCount = 0;

  constructor(random: Random, prose: Prose) {
    this.#random = random;
    this.#prose = prose;
    this.systemPrompts = new Map(
      agents.map((agent) => [agent, `You are ${agent}, a careful assistant. ${prose.text(new Random(`system ${agent}`), 900)}`]),
    );
  }

  /** Three of five traces belong to a session, unless `alone` is set. */
  run(alone: boolean): Run {
    const random = this.#random;
    const agent = random.pickSkewed(agents, 1.4);
    const session = !alone && random.chance(0.6) ? this.#session() : null;
    const user = session?.user ?? random.pickSkewed(this.#users, 1.6);
    const environment = random.pick(environments);
    const shared: Attribute[] = [
      ['agentmark.user_id', user],
      ['agentmark.trace_name', `${agent} run`],
    ];
    if (session) shared.push(['agentmark.session_id', session.id], ['agentmark.session_name', session.name]);
    for (const [key, value] of this.#metadata(environment)) shared.push([`agentmark.metadata.${key}`, value]);
    shared.push(['thread.id', random.between(1, 64)], ['code.function.name', `agents.${agent}.step`]);
    const tags = random.chance(0.5) ? [random.pick(['beta', 'vip', 'nightly', 'regression', 'canary']), environment] : null;
    return { agent, model: random.pickSkewed(models, 1.8), session, tags, shared };
  }

  #metadata(environment: string): [string, string][] {
    const random = this.#random;
    const metadata: [string, string][] = [
      ['tenant', random.pickSkewed(this.#tenants, 1.5)],
      ['env', environment],
      ['region', random.pick(regions)],
      ['release', `v${random.between(1, 9)}.${random.between(0, 30)}`],
    ];
    if (random.chance(0.3)) metadata.push(['experiment', `exp-${random.between(1, 40)}`]);
    if (random.chance(0.2)) metadata.push(['commit_sha', random.hex(40)]);
    return metadata;
  }

  #session(): Session {
    const random = this.#random;
    const isFull = this.#sessions.length >= openSessionsMax;
    if (isFull && !random.chance(0.16)) return random.pick(this.#sessions);
    const session = {
      id: `sess-${(this.#sessionCount++).toString(36)}-${random.hex(8)}`,
      name: `Chat ${this.#prose.text(random, 18).trim()}`,
      user: random.pickSkewed(this.#users, 1.6),
    };
    if (isFull) this.#sessions[random.between(0, openSessionsMax - 1)] = session;
    else this.#sessions.push(session);
    return session;
  }
}
