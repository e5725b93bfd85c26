import { type FormEvent, useState } from 'react';
import type { Storage } from '../../../shared/contract/viewer/viewer-storage.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { plural } from '../../model/text/format.ts';
import { exactly } from '../../model/time/time.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { fieldsOf, isStricter, problemsOf, ruleOf } from './keep-draft.ts';
import { useKeep, useOlder } from './storage-query.ts';

/** Retention form. A rule that removes more than before has to be confirmed. */
export function KeepForm({ retention }: { retention: Storage['retention'] }) {
  const keep = useKeep();
  const [fields, setFields] = useState(() => fieldsOf(retention));
  const [isConfirming, setConfirming] = useState(false);
  const problems = problemsOf(fields);
  const rule = ruleOf(fields);
  const isChanged = rule.keep_days !== retention.keep_days || rule.max_bytes !== retention.max_bytes;
  const isReady = isChanged && Object.keys(problems).length === 0;
  const refused = refusalOf(keep.error);
  const save = () => keep.mutate(rule, { onSuccess: () => setConfirming(false) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    if (isStricter(rule, retention)) setConfirming(true);
    else save();
  };
  return (
    <section className="grid gap-2">
      <Text as="h2" size="section" strong>
        Retention
      </Text>
      <Text as="p" tone="dim">
        {retentionSummary(retention)}
      </Text>
      <form onSubmit={submit} aria-label="Retention" className="grid gap-3">
        <div className="grid grid-cols-2 gap-3">
          <Field
            label="Days"
            inputMode="numeric"
            value={fields.days}
            placeholder="forever"
            problem={problems.days ?? refused.fields.keep_days}
            help="Counted from when a trace arrived."
            onChange={(event) => setFields({ ...fields, days: event.target.value })}
          />
          <Field
            label="Gigabytes"
            inputMode="decimal"
            value={fields.gigabytes}
            placeholder="no limit"
            problem={problems.gigabytes ?? refused.fields.max_bytes}
            help="Maximum size of the database. Beyond it the oldest traces are removed."
            onChange={(event) => setFields({ ...fields, gigabytes: event.target.value })}
          />
        </div>
        <FormFoot problem={isConfirming ? null : restOf(refused, ['keep_days', 'max_bytes'])}>
          <Button submit primary={isReady} disabled={!isReady} aria-busy={keep.isPending}>
            Save
          </Button>
          {isChanged && <Button onClick={() => setFields(fieldsOf(retention))}>Reset</Button>}
        </FormFoot>
      </form>
      {isConfirming && (
        <ConfirmDialog
          title="Remove older traces?"
          action="Remove older traces"
          isBusy={keep.isPending}
          problem={refused.whole}
          onConfirm={save}
          onClose={() => setConfirming(false)}
        >
          <RemovalNotice days={rule.keep_days} hasSize={rule.max_bytes !== null} />
        </ConfirmDialog>
      )}
    </section>
  );
}

function retentionSummary({ removed_traces, removed_at }: Storage['retention']): string {
  const always = 'A trace is removed as a whole, with its scores, when all of it is older. The newest trace is never removed.';
  return removed_at ? `${always} Removed so far: ${plural(removed_traces, 'trace')}, last on ${exactly(removed_at)}.` : always;
}

/** What the new rule removes, with the number of traces. */
function RemovalNotice({ days, hasSize }: { days: number | null; hasSize: boolean }) {
  const older = useOlder(days);
  const estimate = older.isError
    ? 'Their number is unknown, because they could not be counted.'
    : older.data === undefined
      ? 'Counting…'
      : `Currently about ${plural(older.data, 'trace')}.`;
  return (
    <>
      {days !== null && <p>{`Traces that arrived more than ${plural(days, 'day')} ago are removed with their scores. ${estimate}`}</p>}
      {hasSize && <p>When the database exceeds this size, the oldest traces are removed until it fits.</p>}
      <p>Removed traces cannot be restored.</p>
    </>
  );
}
