import clsx from 'clsx';
import type { SemanticKind } from '../../../shared/contract/tracing/semantic-kinds.ts';

/** A letter and a colour for each span kind. */
const kinds: Record<SemanticKind, { letter: string; name: string; background: string }> = {
  llm: { letter: 'L', name: 'model call', background: 'bg-llm' },
  tool: { letter: 'T', name: 'tool', background: 'bg-tool' },
  agent: { letter: 'A', name: 'agent', background: 'bg-agent' },
  retrieval: { letter: 'R', name: 'retrieval', background: 'bg-retrieval' },
  embedding: { letter: 'E', name: 'embedding', background: 'bg-embedding' },
  guardrail: { letter: 'G', name: 'guardrail', background: 'bg-guardrail' },
  function: { letter: 'F', name: 'function', background: 'bg-function' },
};

/** Class of the colour of a kind. */
export const kindBackground = (kind: SemanticKind): string => kinds[kind].background;

export function KindIcon({ kind }: { kind: SemanticKind }) {
  const { letter, name, background } = kinds[kind];
  return (
    <span
      role="img"
      aria-label={name}
      title={name}
      className={clsx(
        'grid size-kind shrink-0 place-items-center rounded-kind font-strong text-key text-on-kind leading-tight',
        background,
      )}
    >
      {letter}
    </span>
  );
}
