import { type ChangeEvent, type FormEvent, useState } from 'react';
import type { AppRetention, RetentionRules } from '../../../shared/contract/projects/retention.ts';
import { refusalOf } from '../../api/refusal.ts';
import { plural } from '../../model/text/format.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { effectiveDays, fieldsOf, isStricter, ofApp, problemsOf, type RetentionFields, rulesOf } from './retention-draft.ts';
import { usePreview, useReplace } from './retention-query.ts';

interface RetentionFormProps {
  retention: AppRetention;
  mayChange: boolean;
}

/** A number of days for the app, and for each environment. Rules that delete more than before have to be confirmed. */
export function RetentionForm({ retention, mayChange }: RetentionFormProps) {
  const replace = useReplace();
  const [fields, setFields] = useState(() => fieldsOf(retention));
  const [isConfirming, setConfirming] = useState(false);
  const rules = rulesOf(fields);
  const isChanged = JSON.stringify(fields) !== JSON.stringify(fieldsOf(retention));
  const isReady = mayChange && isChanged && Object.keys(problemsOf(fields, retention.plan_days)).length === 0;
  const { whole: problem } = refusalOf(replace.error);
  const saved = (now: AppRetention) => {
    setFields(fieldsOf(now));
    setConfirming(false);
  };
  const save = () => replace.mutate(rules, { onSuccess: saved });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    if (isStricter(rules, retention)) setConfirming(true);
    else save();
  };
  return (
    <form onSubmit={submit} aria-label="Retention" className="grid gap-4">
      <RuleFields {...{ retention, fields, setFields, mayChange }} />
      {!mayChange && (
        <Text as="p" tone="dim">
          Owners and admins can change this.
        </Text>
      )}
      <FormFoot problem={isConfirming ? null : problem}>
        {mayChange && (
          <Button submit primary={isReady} disabled={!isReady} aria-busy={replace.isPending}>
            Save
          </Button>
        )}
        {isChanged && <Button onClick={() => setFields(fieldsOf(retention))}>Reset</Button>}
      </FormFoot>
      {isConfirming && (
        <ConfirmDialog
          title="Delete older traces?"
          action="Delete older traces"
          isBusy={replace.isPending}
          problem={problem}
          onConfirm={save}
          onClose={() => setConfirming(false)}
        >
          <DeletionNotice rules={rules} />
        </ConfirmDialog>
      )}
    </form>
  );
}

interface RuleFieldsProps extends RetentionFormProps {
  fields: RetentionFields;
  setFields(fields: RetentionFields): void;
}

function RuleFields({ retention: { environments, plan_days: planDays }, fields, setFields, mayChange }: RuleFieldsProps) {
  const problems = problemsOf(fields, planDays);
  const rules = rulesOf(fields);
  const isValid = Object.keys(problems).length === 0;
  const attributesOf = (id: string) => ({
    inputMode: 'numeric' as const,
    value: fields[id] ?? '',
    readOnly: !mayChange,
    problem: problems[id],
    onChange: (event: ChangeEvent<HTMLInputElement>) => setFields({ ...fields, [id]: event.target.value }),
  });
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <Field
          label="Days for the app"
          placeholder={daysInWords(planDays)}
          help="For environments without a rule, and for traces without an environment."
          {...attributesOf(ofApp)}
        />
      </div>
      <section className="grid gap-2">
        <Text as="h2" size="section" strong>
          Days by environment
        </Text>
        <div className="grid grid-cols-2 gap-3">
          {environments.map(({ environment_id: id, name }) => (
            <Field
              key={id}
              label={name}
              placeholder="as for the app"
              help={isValid ? `Kept ${keptInWords(effectiveDays(rules, id, planDays))}.` : undefined}
              {...attributesOf(id)}
            />
          ))}
        </div>
      </section>
    </>
  );
}

const daysInWords = (days: number | null) => (days === null ? 'forever' : plural(days, 'day'));
const keptInWords = (days: number | null) => (days === null ? 'forever' : `for ${plural(days, 'day')}`);

/** What the new rules delete, with the number of traces. */
function DeletionNotice({ rules }: { rules: RetentionRules }) {
  const preview = usePreview(rules);
  const estimate = preview.isError
    ? 'How many is unknown, because they could not be counted.'
    : preview.data === undefined
      ? 'Counting them…'
      : `Currently ${plural(preview.data, 'trace')}.`;
  return (
    <>
      <p>{`The new rules delete traces that are kept now. ${estimate}`}</p>
      <p>Deleted traces cannot be restored, except from a backup.</p>
    </>
  );
}
