/** Sub-agents of version 1.0, whose lines are among those of the session. */
import { readJson, textAt } from '../json.ts';
import { textOf } from '../messages.ts';
import type { HistorySpan } from '../otlp-span.ts';
import { agentTarget } from '../turn.ts';
import type { SessionEntry } from './session-entry.ts';
import { SessionReader } from './session-reader.ts';

const openMax = 64;
const linesMax = 20_000;

interface Chain {
  reader: SessionReader;
  promptId: string;
}

export class Sidechains {
  readonly #session: SessionReader;
  readonly #sinceMs: number;
  readonly #open = new Set<Chain>();
  readonly #chainOf = new Map<string, Chain>();

  constructor(session: SessionReader, sinceMs: number) {
    this.#session = session;
    this.#sinceMs = sinceMs;
  }

  read(entry: SessionEntry): HistorySpan[] {
    const chain = this.#chainOf.get(entry.parentId) ?? this.#opened(entry);
    this.#chainOf.set(entry.id, chain);
    const [oldestLine] = this.#chainOf.keys();
    if (oldestLine !== undefined && this.#chainOf.size > linesMax) this.#chainOf.delete(oldestLine);
    const spans = chain.reader.read({ ...entry, promptId: entry.promptId || chain.promptId });
    const [oldest] = this.#open;
    if (!oldest || this.#open.size <= openMax) return spans;
    this.#open.delete(oldest);
    return [...spans, ...oldest.reader.end(true)];
  }

  end(isOver: boolean): HistorySpan[] {
    return [...this.#open].flatMap(({ reader }) => reader.end(isOver));
  }

  /** The tool that started it was asked what the chain begins with. */
  #opened({ id, what }: SessionEntry): Chain {
    const asked = what.kind === 'prompt' ? textOf(what.parts) : '';
    const tool = this.#session.openTools().find((open) => asked !== '' && textAt(readJson(open.arguments) ?? {}, 'prompt') === asked);
    const name = textAt(readJson(tool?.arguments ?? '') ?? {}, 'subagent_type');
    const agent = { id, name: name || 'sub-agent', callId: tool?.id ?? '', target: agentTarget(id) };
    const chain = {
      reader: new SessionReader({ sinceMs: this.#sinceMs, agent }),
      promptId: this.#session.promptOfTool(agent.callId) || id,
    };
    this.#open.add(chain);
    return chain;
  }
}
