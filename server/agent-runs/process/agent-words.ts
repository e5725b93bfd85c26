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
import type { AgentWords } from '../../control/agent-run-queue.ts';
import { shownText } from './terminal-text.ts';

/** A line of JSON without any of these says nothing that is heard. */
const telling = ['"result"', 'session_id', 'cost_usd'];

const session = /^[A-Za-z0-9][\w.:-]{0,127}$/;
const resultMax = 20_000;
const lastLineBytes = 3 * resultMax;
const openingBrace = 0x7b;

export class HeardWords {
  #cost: number | null = null;
  #result: string | null = null;
  /** Of the last line that was no JSON, its first part. */
  #lastLine = Buffer.alloc(0);
  #isError = false;

  get costUsd(): number | null {
    return this.#cost;
  }

  /** What it ended with, else the last thing that it printed. */
  get result(): string | null {
    return this.#result ?? (shownText(this.#lastLine).slice(0, resultMax).toWellFormed() || null);
  }

  /** It said itself that it has failed. */
  get isError(): boolean {
    return this.#isError;
  }

  /**
   * @param line of its stdout
   * @param isShown whether it is kept as output too. Of the others only those are parsed that can say something
   * @returns what the line says anew
   */
  hear(line: Buffer, isShown: boolean): Partial<AgentWords> {
    const isSilent = line[0] !== openingBrace;
    if (!isSilent && !isShown && !telling.some((word) => line.includes(word, 0, 'latin1'))) return {};
    const said = isSilent ? null : objectOf(line);
    if (!said) {
      if (!isBlank(line)) this.#lastLine = Buffer.from(line.subarray(0, lastLineBytes));
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

function objectOf(line: Buffer): Record<string, unknown> | null {
  try {
    return JSON.parse(line.toString('utf8')) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** Whether there is nothing in it but white space. */
const isBlank = (line: Buffer): boolean => line.every((byte) => byte <= 0x20);
