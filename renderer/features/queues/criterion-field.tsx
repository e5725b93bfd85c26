import clsx from 'clsx';
import type { ChangeEvent, KeyboardEvent } from 'react';
import { scoreTextMax } from '../../../shared/contract/evaluation/score-configs.ts';
import { CategoryDot } from '../../ui/primitives/category-dot.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { KeyCap } from '../../ui/primitives/key-cap.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { TextArea } from '../../ui/primitives/text-area.tsx';
import { type Criterion, rangeOf } from './review-draft.ts';

interface CriterionFieldProps {
  criterion: Criterion;
  /** Label of the choice, or the number or text as typed. */
  value: string;
  /** Whether the number keys answer this one. */
  isNext: boolean;
  onChange: (value: string) => void;
}

/** Input for one score: choices, a number or a text. */
export function CriterionField({ criterion, value, isNext, onChange }: CriterionFieldProps) {
  const { name, description, choices, isText } = criterion;
  if (!choices) {
    const typed = {
      ...{ label: name, value, onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(event.target.value) },
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => event.key === 'Escape' && event.currentTarget.blur(),
    };
    return (
      <div data-next={isNext}>
        {isText ? (
          <TextArea rows={2} help={description} maxLength={scoreTextMax} {...typed} />
        ) : (
          <Field help={[description, rangeOf(criterion)].filter(Boolean).join(' · ')} inputMode="decimal" {...typed} />
        )}
      </div>
    );
  }
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
            aria-pressed={value === label}
            onClick={() => onChange(label)}
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
