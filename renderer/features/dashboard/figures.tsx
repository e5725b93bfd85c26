import { Text } from '../../ui/primitives/text.tsx';
import type { Figure } from './comparison.ts';

/** The figures of the range, each with what it was before. */
export const Figures = ({ figures }: { figures: readonly Figure[] }) => (
  <section aria-label="Figures" className="shrink-0 border-line border-b">
    <dl className="grid grid-cols-4 split:grid-cols-7">
      {figures.map(({ name, value, note, isWorse }) => (
        <div key={name} className="grid min-w-0 gap-0.5 border-line border-r px-pad py-2 last:border-r-0">
          <dt className="truncate text-fg-3 text-label">{name}</dt>
          <dd className="grid min-w-0">
            <Text size="title" strong className="tabular-nums">
              {value}
            </Text>
            <Text size="label" tone={isWorse ? 'warm' : 'quiet'} cut title={note} className="h-lh tabular-nums">
              {note}
            </Text>
          </dd>
        </div>
      ))}
    </dl>
  </section>
);
