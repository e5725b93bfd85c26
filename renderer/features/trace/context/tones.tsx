import clsx from 'clsx';
import type { FillTone } from '../../../model/trace/context-plot.ts';

/** The colour of each band, as the current colour. What entered is hatched in it. */
export const toneColours: Record<FillTone, string> = {
  other: 'text-line-2',
  tools: 'text-function/55',
  system: 'text-function',
  document: 'text-embedding/50',
  media: 'text-guardrail',
  user: 'text-embedding',
  handedOver: 'text-retrieval',
  result1: 'text-tool',
  result2: 'text-tool/60',
  result3: 'text-tool/35',
  results: 'text-tool/20',
  assistant: 'text-llm',
  entered: 'text-accent',
  cost: 'text-accent/70',
  lost: 'text-warm',
};

const hatch = 'bg-[repeating-linear-gradient(135deg,currentColor_0_2px,color-mix(in_srgb,currentColor_45%,var(--color-bg))_2px_4px)]';

export const PartSwatch = ({ tone }: { tone: FillTone }) => (
  <span aria-hidden="true" className={clsx('size-2 shrink-0 rounded-key', toneColours[tone], tone === 'entered' ? hatch : 'bg-current')} />
);
