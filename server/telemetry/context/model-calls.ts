/** Which spans of a run are model calls, and whose. */
import type { SemanticKind } from '../../../shared/contract/tracing/semantic-kinds.ts';
import { inherited } from '../ancestors.ts';

interface TreeSpan {
  id: string;
  parentId: string | null;
  kind: SemanticKind;
}

interface Surroundings {
  /** The nearest agent above; or a tool nearer to it, which then is an agent for this call. */
  agentId: string | null;
  /** A span of a library around this call alone, which may have the prompt instead of it. */
  wrapperId: string | null;
}

export class ModelCalls {
  /** In the order of the spans. A call around other calls is no call of its own: it is the same call, as another library reports it. */
  readonly ids: readonly string[];
  readonly #surroundings = new Map<string, Surroundings>();

  constructor(spans: readonly TreeSpan[]) {
    const byId = new Map(spans.map((span): [string, TreeSpan] => [span.id, span]));
    const calls = spans.filter(({ kind }) => kind === 'llm');
    const surroundingsOf = inherited<TreeSpan, Surroundings>(byId, () => noSurroundings, within);
    const callsWithin = new Map<string, number>();
    for (const call of calls) {
      const { agentId, wrapperId } = surroundingsOf(call);
      this.#surroundings.set(call.id, { agentId, wrapperId });
      if (wrapperId !== null) callsWithin.set(wrapperId, (callsWithin.get(wrapperId) ?? 0) + 1);
    }
    for (const around of this.#surroundings.values())
      if (around.wrapperId !== null && callsWithin.get(around.wrapperId) !== 1) around.wrapperId = null;
    this.ids = calls.map(({ id }) => id).filter((id) => !callsWithin.has(id));
  }

  surroundingsOf(id: string): Surroundings {
    return this.#surroundings.get(id) ?? noSurroundings;
  }
}

const noSurroundings: Surroundings = { agentId: null, wrapperId: null };

function within({ id, kind }: TreeSpan, around: Surroundings): Surroundings {
  if (kind === 'agent' || kind === 'tool') return { agentId: id, wrapperId: null };
  return kind === 'llm' ? { agentId: around.agentId, wrapperId: id } : around;
}
