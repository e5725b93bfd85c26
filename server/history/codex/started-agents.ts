/** Which call of a tool started the thread of a sub-agent. A thread that is sent more later has a turn for each. */

const agentsMax = 10_000;

interface Start {
  callId: string;
  promptId: string;
  traceId: string;
}

export class StartedAgents {
  readonly #starts = new Map<string, Start>();

  add(threadId: string, start: Start): void {
    if (threadId === '' || this.#starts.size >= agentsMax) return;
    // Later calls wait for it, or end it.
    for (const key of [threadId, `${threadId} ${start.promptId}`]) if (!this.#starts.has(key)) this.#starts.set(key, start);
  }

  /** The prompt in which it was first started. */
  promptOf(threadId: string): string {
    return this.#starts.get(threadId)?.promptId ?? '';
  }

  /** '' for that of a prompt that is not known, or has none of its own. */
  traceOf(threadId: string, promptId: string): string {
    const start = this.#starts.get(`${threadId} ${promptId}`) ?? this.#starts.get(threadId);
    return start?.promptId === promptId ? start.traceId : '';
  }

  /** '' if none is known in this prompt. */
  callOf(threadId: string, promptId: string): string {
    return this.#starts.get(`${threadId} ${promptId}`)?.callId ?? '';
  }
}
