import { categoryColors } from '../../../shared/contract/evaluation/score-configs.ts';
import { capital } from '../../model/text/format.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { CategoryDot } from '../../ui/primitives/category-dot.tsx';
import { SearchField as PlainField } from '../../ui/primitives/field.tsx';
import { InlineSelect } from '../../ui/primitives/inline-select.tsx';
import { RowAction } from '../../ui/primitives/row-action.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { type CategoryDraft, withCategory } from './score-config-draft.ts';

const colors = [{ id: '' as const, label: 'No colour' }, ...categoryColors.map((id) => ({ id, label: capital(id) }))];

interface CategoryFieldsProps {
  categories: readonly CategoryDraft[];
  onChange: (categories: readonly CategoryDraft[]) => void;
}

/** The categories in the order in which reviewers see them, where the digits 1 to 9 choose the first nine. */
export function CategoryFields({ categories, onChange }: CategoryFieldsProps) {
  const change = (at: number, part: Partial<CategoryDraft>) =>
    onChange(categories.map((category, index) => (index === at ? { ...category, ...part } : category)));
  return (
    <fieldset aria-label="Categories" className="grid gap-1">
      <Text size="label" tone="quiet">
        Label, value and colour. Reviewers choose by digit, in this order.
      </Text>
      {categories.map(({ key, label, value, color }, at) => (
        <div key={key} className="flex items-center gap-2">
          <Text tone="dim" className="w-4 shrink-0 text-end tabular-nums">
            {String(at + 1)}
          </Text>
          <PlainField
            className="flex-1"
            label={`Label ${at + 1}`}
            value={label}
            onChange={(event) => change(at, { label: event.target.value })}
          />
          <PlainField
            className="w-total"
            label={`Value ${at + 1}`}
            inputMode="decimal"
            value={value}
            onChange={(event) => change(at, { value: event.target.value })}
          />
          <span className="flex w-4 justify-center">{color !== '' && <CategoryDot color={color} />}</span>
          <InlineSelect label={`Colour ${at + 1}`} options={colors} value={color} onChange={(id) => change(at, { color: id })} />
          <RowAction label={`Remove category ${at + 1}`} onClick={() => onChange(categories.filter((_, index) => index !== at))}>
            Remove
          </RowAction>
        </div>
      ))}
      <div>
        <Button onClick={() => onChange(withCategory(categories))}>Add category</Button>
      </div>
    </fieldset>
  );
}
