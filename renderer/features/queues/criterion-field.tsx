import clsx from 'clsx';
import { CategoryDot } from '../../ui/primitives/category-dot.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { KeyCap } from '../../ui/primitives/key-cap.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { TextArea } from '../../ui/primitives/text-area.tsx';
import { type Criterion, rangeOf } from './review-draft.ts';

interface CriterionFieldProps {
  criterion: Criterion;
  /** Index of the choice, or the number as typed. */
  value: string;
  /** Whether the number keys answer this one. */
  isNext: boolean;
  onChange: (value: string) => void;
}

/** Input for one score: choices or a number. */
export function CriterionField({ criterion, value, isNext, onChange }: CriterionFieldProps) {
  const { name, description, choices, isText } = criterion;
  if (isText) return <TextArea rows={2} label={name} help={description} value={value} onChange={(event) => onChange(event.target.value)} />;
  if (!choices)
    return (
      <Field
        label={name}
        help={[description, rangeOf(criterion)].filter(Boolean).join(' · ')}
        inputMode="decimal"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  return (
    <fieldset aria-label={name} data-next={isNext} className="grid gap-1">
      <Text size="label" tone={isNext ? 'fg' : 'quiet'} strong={isNext} className="wrap-anywhere">
        {name}
      </Text>
      {description && (
        <Text size="label" tone="dim">
          {description}
        </Text>
      )}
      <div className="flex flex-wrap gap-1">
        {choices.map(({ label, color }, index) => (
          <button
            key={label}
            type="button"
            aria-pressed={value === String(index)}
            onClick={() => onChange(String(index))}
            className={clsx(
              'inline-flex min-h-control max-w-full items-center gap-1.5 rounded-control border border-line-2 px-2 text-fg-2 text-row',
              'hover:bg-hover aria-pressed:border-accent aria-pressed:bg-select aria-pressed:text-fg',
            )}
          >
            {color && <CategoryDot color={color} />}
            <span className="truncate" title={label}>
              {label}
            </span>
            {isNext && index < 9 && <KeyCap>{String(index + 1)}</KeyCap>}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
