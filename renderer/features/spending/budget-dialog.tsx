import { type FormEvent, useState } from 'react';
import type { BudgetPeriod } from '../../../shared/contract/viewer/budget-shape.ts';
import type { Spending } from '../../../shared/contract/viewer/spending.ts';
import { useBudgetQuery, useSetBudgets } from '../../api/budgets.ts';
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

/** @param amount as it was typed */
function amountProblem(amount: string, max: number): string | undefined {
  if (amount.trim() === '' || Number.isNaN(max)) return 'Enter an amount in dollars, such as 7.50.';
  if (max <= 0) return 'Enter an amount above 0.';
  return max > 1e6 ? 'Enter at most 1,000,000.' : undefined;
}

/** Sets a budget, in place of the one for the same period and project. */
export function BudgetDialog({ projects, onClose }: { projects: Spending['projects']; onClose: () => void }) {
  const [amount, setAmount] = useState('20');
  const [period, setPeriod] = useState<BudgetPeriod>('day');
  const [folder, setFolder] = useState(everything);
  const { data: budgets, error } = useBudgetQuery();
  const set = useSetBudgets(onClose);
  const max = Number(amount.trim().replace(/^\$/, ''));
  const problem = amountProblem(amount, max);
  const isPossible = problem === undefined && budgets !== undefined;
  const refusal = refusalOf(set.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPossible || !budgets || set.isPending) return;
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
          problem={problem}
          onChange={(event) => setAmount(event.target.value)}
        />
        <SelectField label="Period" options={periods} value={period} onChange={setPeriod} />
        <SelectField
          label="Project"
          options={[{ id: everything, label: 'All projects' }, ...folders.map((id) => ({ id, label: id }))]}
          value={folder}
          onChange={setFolder}
        />
        <Text as="p" tone="dim">
          When more is spent, this page and the desktop app say so. Nothing is stopped: “glasshouse budget” in a script fails.
        </Text>
        <FormFoot problem={restOf(refusal, []) ?? (error ? 'The budgets that are kept could not be loaded.' : null)}>
          <Button submit primary disabled={!isPossible || set.isPending}>
            Set
          </Button>
        </FormFoot>
      </form>
    </Dialog>
  );
}
