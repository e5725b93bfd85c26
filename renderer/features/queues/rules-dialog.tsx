import { type FormEvent, useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { useWhyNot } from '../../api/identity.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { when } from '../../model/time/time.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { useNow } from '../../ui/primitives/now.ts';
import { RowAction } from '../../ui/primitives/row-action.tsx';
import { useSettled } from '../../ui/primitives/settled-value.ts';
import { SkeletonCards } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { previewInWords, type RuleFields, ruleInWords, ruleOf, ruleStateInWords } from './rule-draft.ts';
import { type QueueRule, useChangeRules, useRulePreview, useRules } from './rules-query.ts';

const pauseMs = 500;
const emptyFields: RuleFields = { filter: '', percent: '100', perDay: '100' };

/** The rules that fill a queue, and a form for another one. */
export function RulesDialog({ queueId, onClose }: { queueId: string; onClose: () => void }) {
  const rules = useRules(queueId);
  const mayChange = useWhyNot()('annotation_queue.write') === undefined;
  return (
    <Dialog title="Rules" onClose={onClose}>
      <div className="grid gap-4">
        <Text as="p" tone="dim">
          Traces that match a rule are added by themselves, each once, a few minutes after they end. Scores and errors that come within a
          day count too.
        </Text>
        {rules.data ? (
          <RuleList queueId={queueId} rules={rules.data} mayChange={mayChange} />
        ) : rules.isError ? (
          <Text tone="err">{asFailure(rules.error, 'The rules could not be loaded').why}</Text>
        ) : (
          <SkeletonCards label="Loading the rules" />
        )}
        {mayChange && <RuleForm queueId={queueId} />}
      </div>
    </Dialog>
  );
}

function RuleList({ queueId, rules, mayChange }: { queueId: string; rules: readonly QueueRule[]; mayChange: boolean }) {
  const change = useChangeRules(queueId);
  const now = useNow();
  const problem = restOf(refusalOf(change.error), []);
  if (rules.length === 0) return <Text tone="quiet">This queue has no rules yet.</Text>;
  return (
    <ul aria-label="Rules" className="grid gap-2">
      {rules.map((rule) => {
        const words = ruleInWords(rule);
        return (
          <li key={rule.id} className="flex items-center gap-2">
            <span className="grid min-w-0 flex-1">
              <Text cut title={words}>
                {words}
              </Text>
              <Text size="label" tone={rule.paused || rule.problem ? 'warm' : 'dim'}>
                {ruleStateInWords(rule, now, when)}
              </Text>
            </span>
            {mayChange && (
              <RuleActions
                rule={rule}
                onPause={(paused) => change.mutate({ ruleId: rule.id, body: { ...bodyOf(rule), paused } })}
                onDelete={() => change.mutate({ ruleId: rule.id, body: null })}
              />
            )}
          </li>
        );
      })}
      {problem && (
        <Text as="p" tone="err">
          {problem}
        </Text>
      )}
    </ul>
  );
}

interface RuleActionsProps {
  rule: QueueRule;
  onPause: (paused: boolean) => void;
  onDelete: () => void;
}

/** Deletion takes a second click. */
function RuleActions({ rule, onPause, onDelete }: RuleActionsProps) {
  const [isDeleting, setDeleting] = useState(false);
  const words = ruleInWords(rule);
  if (isDeleting)
    return (
      <>
        <RowAction label={`Delete for good: ${words}`} onClick={onDelete}>
          Delete for good
        </RowAction>
        <RowAction label={`Keep: ${words}`} onClick={() => setDeleting(false)}>
          Keep
        </RowAction>
      </>
    );
  const pauses = rule.paused ? 'Resume' : 'Pause';
  return (
    <>
      <RowAction label={`${pauses}: ${words}`} onClick={() => onPause(!rule.paused)}>
        {pauses}
      </RowAction>
      <RowAction label={`Delete: ${words}`} onClick={() => setDeleting(true)}>
        Delete
      </RowAction>
    </>
  );
}

const bodyOf = ({ filter, sample_percent, max_per_day, paused }: QueueRule) => ({ filter, sample_percent, max_per_day, paused });

function RuleForm({ queueId }: { queueId: string }) {
  const add = useChangeRules(queueId);
  const [fields, setFields] = useState(emptyFields);
  const rule = ruleOf(fields);
  const refusal = refusalOf(add.error);
  const change = (part: Partial<RuleFields>) => setFields({ ...fields, ...part });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (rule && !add.isPending) add.mutate({ ruleId: null, body: rule }, { onSuccess: () => setFields(emptyFields) });
  };
  return (
    <form onSubmit={submit} aria-label="New rule" className="grid gap-3">
      <Field
        label="Filter"
        value={fields.filter}
        placeholder={'status = ERROR and prompt_name = "answer"'}
        help="As in the list of traces, for example score__helpfulness < 0.5. Empty: every trace."
        onChange={(event) => change({ filter: event.target.value })}
      />
      <div className="grid grid-cols-2 gap-3">
        <Field
          label="Share, in percent"
          inputMode="decimal"
          value={fields.percent}
          onChange={(event) => change({ percent: event.target.value })}
        />
        <Field
          label="At most a day"
          inputMode="numeric"
          value={fields.perDay}
          help="1 to 1000, by the day in UTC."
          onChange={(event) => change({ perDay: event.target.value })}
        />
      </div>
      <Preview queueId={queueId} rule={rule} />
      <FormFoot problem={restOf(refusal, [])}>
        <Button submit primary disabled={rule === null} aria-busy={add.isPending}>
          Add rule
        </Button>
      </FormFoot>
    </form>
  );
}

function Preview({ queueId, rule }: { queueId: string; rule: ReturnType<typeof ruleOf> }) {
  const { filter, sample_percent } = rule ?? { filter: '', sample_percent: 0 };
  const settled = useSettled(rule === null ? '' : JSON.stringify({ filter, sample_percent }), pauseMs) ?? '';
  const preview = useRulePreview(queueId, settled === '' ? null : JSON.parse(settled));
  const words = preview.isError
    ? asFailure(preview.error, 'The preview could not be computed').why
    : preview.data && settled !== '' && !preview.isPlaceholderData
      ? previewInWords(preview.data)
      : 'Reading the last 7 days…';
  return (
    <Text as="p" tone={preview.isError ? 'err' : 'quiet'}>
      <span aria-live="polite">{rule === null ? 'Enter a share above 0 and up to 100, and a whole number a day.' : words}</span>
    </Text>
  );
}
