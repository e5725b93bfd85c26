import clsx from 'clsx';
import type { SemanticKind } from '../../../shared/contract/tracing/semantic-kinds.ts';

/** One letter and one hue for each kind of span. */
const kinds: Record<SemanticKind, { letter: string; word: string; ground: string }> = {
  llm: { letter: 'L', word: 'model call', ground: 'bg-llm' },
  tool: { letter: 'T', word: 'tool', ground: 'bg-tool' },
  agent: { letter: 'A', word: 'agent', ground: 'bg-agent' },
  retrieval: { letter: 'R', word: 'retrieval', ground: 'bg-retrieval' },
  embedding: { letter: 'E', word: 'embedding', ground: 'bg-embedding' },
  guardrail: { letter: 'G', word: 'guardrail', ground: 'bg-guardrail' },
  function: { letter: 'F', word: 'function', ground: 'bg-function' },
};

export function KindIcon({ kind }: { kind: SemanticKind }) {
  const { letter, word, ground } = kinds[kind];
  return (
    <span
      role="img"
      aria-label={word}
      title={word}
      className={clsx('grid size-kind shrink-0 place-items-center rounded-kind font-strong text-key text-on-kind leading-tight', ground)}
    >
      {letter}
    </span>
  );
}
