import { type FormEvent, useState } from 'react';
import { type RunawayRule, runawayRules, runawayThresholds } from '../../../shared/contract/tracing/runaway-rules.ts';
import type { RunawayThreshold } from '../../../shared/contract/tracing/runaways.ts';
import { runawayRuleNames, runawayService } from '../../../shared/words/runaway-words.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { useSetRunawayThreshold } from '../../api/runaways.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { CheckField } from '../../ui/primitives/check-field.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { SelectField } from '../../ui/primitives/select-field.tsx';
import { readThreshold, typedThreshold, unitOf } from './threshold-words.ts';

interface ThresholdDialogProps {
  /** The threshold to change; null for a new one. */
  saved: RunawayThreshold | null;
  onClose: () => void;
}

const rules = runawayRules.map((id) => ({ id, label: runawayRuleNames[id] }));

/** Sets the threshold of one rule for one service. */
export function ThresholdDialog({ saved, onClose }: ThresholdDialogProps) {
  const [service, setService] = useState(saved?.service ?? '');
  const [rule, setRule] = useState<RunawayRule>(saved?.rule ?? 'repeated_calls');
  const [typed, setTyped] = useState<string | null>(saved?.threshold ? typedThreshold(saved.rule, saved.threshold) : null);
  const [isOn, setOn] = useState(saved?.threshold !== null);
  const set = useSetRunawayThreshold(onClose);
  const shown = typed ?? typedThreshold(rule, runawayThresholds[rule].default);
  const read = readThreshold(rule, shown);
  const isPossible = !isOn || typeof read === 'number';
  const refusal = refusalOf(set.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPossible && !set.isPending)
      set.mutate({ service: service.trim(), rule, threshold: isOn && typeof read === 'number' ? read : null });
  };
  return (
    <Dialog title={saved ? `Threshold of ${runawayService(saved.service)}` : 'Threshold of a service'} onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        {!saved && (
          <>
            <Field
              label="Service"
              autoFocus
              value={service}
              placeholder="support-agent"
              help="The service.name of its spans. Leave it empty for spans without one."
              problem={refusal.fields.service}
              onChange={(event) => setService(event.target.value)}
            />
            <SelectField
              label="Rule"
              options={rules}
              value={rule}
              onChange={(id) => {
                setRule(id);
                setTyped(null);
              }}
            />
          </>
        )}
        <CheckField label={`Watch for: ${runawayRuleNames[rule]}`} isOn={isOn} onChange={setOn} />
        {isOn && (
          <Field
            label={`Threshold (${unitOf(rule)})`}
            inputMode="decimal"
            value={shown}
            problem={refusal.fields.threshold ?? (typeof read === 'number' ? undefined : read.problem)}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        <FormFoot problem={restOf(refusal, ['service', 'threshold'])}>
          <Button submit primary disabled={!isPossible || set.isPending}>
            Save
          </Button>
        </FormFoot>
      </form>
    </Dialog>
  );
}
