import { Text } from './text.tsx';

export interface ListedFigure {
  name: string;
  value: string;
  note: string;
  /** Whether the note is about a change for the worse. */
  isWorse?: boolean;
}

/** Figures side by side, each with a note below. */
export const FigureList = ({ label, figures }: { label: string; figures: readonly ListedFigure[] }) => (
  <section aria-label={label} className="shrink-0 border-line border-b">
    <dl className="grid grid-cols-4 split:grid-cols-7">
      {figures.map(({ name, value, note, isWorse = false }) => (
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
