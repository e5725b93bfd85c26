/**
 * Reads the JSON lines that coding agents print about themselves:
 *
 * - `session_id`: id to resume in the next turn
 * - `total_cost_usd` or `cost_usd`: cost of this turn so far
 * - `{"type":"result","result":"…","is_error":false}`: its result
 *
 * All other lines are only output. The agent is not trusted: values are bounded, and a session id that could be taken for an option is
 * ignored.
 */
import type { AgentReport } from '../../control/agent-run-queue.ts';
import { shownText } from './terminal-text.ts';

/** Unstored lines without any of these are not parsed. */
const reportedNames = ['"result"', 'session_id', 'cost_usd'];

const sessionId = /^[A-Za-z0-9][\w.:-]{0,127}$/;
const resultMax = 20_000;
const lastLineBytes = 3 * resultMax;
const openingBrace = 0x7b;

export class AgentReportReader {
  #cost: number | null = null;
  #result: string | null = null;
  /** Beginning of the last line that was not JSON. */
  #lastLine = Buffer.alloc(0);
  #isError = false;

  get costUsd(): number | null {
    return this.#cost;
  }

  /** Reported result, else the last printed line. */
  get result(): string | null {
    return this.#result ?? (shownText(this.#lastLine).slice(0, resultMax).toWellFormed() || null);
  }

  /** The agent reported a failure. */
  get isError(): boolean {
    return this.#isError;
  }

  /**
   * @param line line of stdout
   * @param isShown whether it is stored as output too. Other lines are parsed only when they may matter
   * @returns changed values
   */
  read(line: Buffer, isShown: boolean): Partial<AgentReport> {
    const isText = line[0] !== openingBrace;
    if (!isText && !isShown && !reportedNames.some((name) => line.includes(name, 0, 'latin1'))) return {};
    const fields = isText ? null : objectOf(line);
    if (!fields) {
      if (!isBlank(line)) this.#lastLine = Buffer.from(line.subarray(0, lastLineBytes));
      return {};
    }
    if (fields['type'] === 'result') {
      if (typeof fields['result'] === 'string') this.#result = fields['result'].slice(0, resultMax).toWellFormed();
      this.#isError = fields['is_error'] === true;
    }
    const cost = fields['total_cost_usd'] ?? fields['cost_usd'];
    const isCost = typeof cost === 'number' && Number.isFinite(cost) && cost >= 0;
    if (isCost) this.#cost = cost;
    const id = fields['session_id'];
    return { ...(isCost && { cost_usd: cost }), ...(typeof id === 'string' && sessionId.test(id) && { session: id }) };
  }
}

function objectOf(line: Buffer): Record<string, unknown> | null {
  try {
    return JSON.parse(line.toString('utf8')) as Record<string, unknown>;
  } catch {
    return null;
  }
}

const isBlank = (line: Buffer): boolean => line.every((byte) => byte <= 0x20);
