import { type FormEvent, useState } from 'react';
import type { BudgetPeriod } from '../../../shared/contract/viewer/budget-shape.ts';
import type { Spending } from '../../../shared/contract/viewer/spending.ts';
import { useBudgets, useSetBudgets } from '../../api/budgets.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { SelectField } from '../../ui/primitives/select-field.tsx';
import { Text } from '../../ui/primitives/text.tsx';

const periods: { id: BudgetPeriod; label: string }[] = [
  { id: 'day', label: 'A day, from midnight' },
  { id: '5h', label: 'A five-hour window' },
  { id: 'week', label: 'Seven days, until now' },
];
const everything = '';

/** Sets a budget, in place of the one for the same period and project. */
export function BudgetDialog({ projects, onClose }: { projects: Spending['projects']; onClose: () => void }) {
  const [amount, setAmount] = useState('20');
  const [period, setPeriod] = useState<BudgetPeriod>('day');
  const [folder, setFolder] = useState(everything);
  const budgets = useBudgets();
  const set = useSetBudgets(onClose);
  const max = Number(amount.trim().replace(/^\$/, ''));
  const isPossible = amount.trim() !== '' && max > 0 && max <= 1e6;
  const refusal = refusalOf(set.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPossible || set.isPending) return;
    const draft = { period, max, folder: folder === everything ? null : folder };
    set.mutate([...budgets.filter((other) => other.period !== period || other.folder !== draft.folder), draft]);
  };
  const folders = projects.flatMap((project) => project.folder ?? []);
  return (
    <Dialog title="Set a budget" onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        <Field
          label="US dollars"
          autoFocus
          inputMode="decimal"
          value={amount}
          problem={isPossible ? undefined : 'Enter an amount above 0.'}
          onChange={(event) => setAmount(event.target.value)}
        />
        <SelectField label="In" options={periods} value={period} onChange={setPeriod} />
        <SelectField
          label="For"
          options={[{ id: everything, label: 'Everything' }, ...folders.map((id) => ({ id, label: id }))]}
          value={folder}
          onChange={setFolder}
        />
        <Text as="p" tone="dim">
          When more is spent, this page and the desktop app say so. Nothing is stopped: “glasshouse budget” in a script fails.
        </Text>
        <FormFoot problem={restOf(refusal, [])}>
          <Button submit primary disabled={!isPossible || set.isPending}>
            Set
          </Button>
        </FormFoot>
      </form>
    </Dialog>
  );
}
