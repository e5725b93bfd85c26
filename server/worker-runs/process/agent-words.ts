/**
 * What an agent says of itself in lines of JSON on its stdout, as coding agents print them:
 *
 * - `session_id`: what to resume by in the next turn
 * - `total_cost_usd` or `cost_usd`: of this turn so far
 * - `{"type":"result","result":"…","is_error":false}`: how it ended
 *
 * Everything else is output and nothing more. The agent is not trusted: what it says is bounded, and a session that could be read as an
 * option is none.
 */
import type { AgentWords } from '../../control/worker-queue.ts';

const session = /^[A-Za-z0-9][\w.:-]{0,127}$/;
const resultMax = 20_000;

export class HeardWords {
  #cost: number | null = null;
  #result: string | null = null;
  #lastLine = '';
  #isError = false;

  get costUsd(): number | null {
    return this.#cost;
  }

  /** What it ended with, else the last thing that it printed. */
  get result(): string | null {
    return this.#result ?? (this.#lastLine || null);
  }

  /** It said itself that it has failed. */
  get isError(): boolean {
    return this.#isError;
  }

  /** @returns what the line says anew */
  hear(line: string): Partial<AgentWords> {
    const said = objectOf(line);
    if (!said) {
      if (line.trim() !== '') this.#lastLine = line.slice(0, resultMax);
      return {};
    }
    if (said['type'] === 'result') {
      if (typeof said['result'] === 'string') this.#result = said['result'].slice(0, resultMax).toWellFormed();
      this.#isError = said['is_error'] === true;
    }
    const cost = said['total_cost_usd'] ?? said['cost_usd'];
    const isCost = typeof cost === 'number' && Number.isFinite(cost) && cost >= 0;
    if (isCost) this.#cost = cost;
    const name = said['session_id'];
    return { ...(isCost && { cost_usd: cost }), ...(typeof name === 'string' && session.test(name) && { session: name }) };
  }
}

function objectOf(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}
