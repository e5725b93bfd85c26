import clsx from 'clsx';
import { ChartNoAxesColumn, Repeat, TrendingUp, Unplug } from 'lucide-react';
import type { ContextVerdict } from '../../../model/trace/context-verdicts.ts';
import { Icon } from '../../../ui/primitives/icon.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import type { Chosen } from './use-chosen.ts';

const icons = { cache: Unplug, carried: Repeat, peak: TrendingUp } as const;

interface VerdictsProps {
  verdicts: readonly ContextVerdict[];
  chosen: Chosen;
}

/** Three findings, each a link to what shows it. */
export const Verdicts = ({ verdicts, chosen }: VerdictsProps) => (
  <section aria-label="Findings" className="grid shrink-0 grid-cols-3 border-line border-b">
    {verdicts.map((verdict) => (
      <Finding key={verdict.about} verdict={verdict} chosen={chosen} />
    ))}
  </section>
);

const cell = 'flex min-w-0 flex-col items-start border-line border-r px-pad py-2 text-left last:border-r-0';

function Finding({ verdict, chosen }: { verdict: ContextVerdict; chosen: Chosen }) {
  const { about, label, figure, detail, isBad, call, part } = verdict;
  const texts = (
    <>
      <span className={clsx('flex max-w-full items-center gap-1.5 text-label', isBad ? 'text-warm' : 'text-fg-3')}>
        <Icon of={about === 'cache' && !isBad ? ChartNoAxesColumn : icons[about]} size="small" />
        <span className="truncate">{label}</span>
      </span>
      <Text size="title" strong cut className="max-w-full" title={figure}>
        {figure}
      </Text>
      <Text tone="quiet" cut className="max-w-full" title={detail}>
        {detail}
      </Text>
    </>
  );
  if (call === undefined) return <div className={cell}>{texts}</div>;
  const show = () => (part === undefined ? chosen.selectCall(call) : chosen.selectPart(part));
  return (
    <button
      type="button"
      onClick={show}
      className={clsx(cell, 'hover:bg-hover', isBad && 'shadow-[inset_0_var(--spacing-edge)_var(--color-warm)]')}
    >
      {texts}
    </button>
  );
}
