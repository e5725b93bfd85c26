import type { Verdict } from '../../model/trace/comparison-words.ts';
import { Text } from '../../ui/primitives/text.tsx';

/** What a comparison found. It is marked where there is something to look at. */
export function VerdictLine({ verdict: { before, name, after, detail }, isWarm }: { verdict: Verdict; isWarm: boolean }) {
  return (
    <section
      aria-label="Verdict"
      className={`grid shrink-0 gap-1 border-line border-b border-l-2 px-pad py-3 ${isWarm ? 'border-l-warm' : 'border-l-line'}`}
    >
      <Text size="title">
        {before}
        {name && <strong className="font-strong">{name}</strong>}
        {after}
      </Text>
      <Text tone="dim">{detail}</Text>
    </section>
  );
}
