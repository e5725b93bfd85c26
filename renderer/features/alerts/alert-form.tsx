import { type FormEvent, useState } from 'react';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { SelectField } from '../../ui/primitives/select-field.tsx';
import { type AlertFields, alertFieldNames, draftOf, fieldsOf } from './alert-draft.ts';
import { type Alert, useEnvironments, useSaveAlert } from './alerts-query.ts';
import { useAlertChannels } from './channels-query.ts';
import { PreviewPart } from './preview-part.tsx';
import { ReceiverFields } from './receiver-fields.tsx';
import { metrics } from './words.ts';

interface AlertFormProps {
  /** Edited alert; null for a new one. */
  alert: Alert | null;
  onClose: () => void;
  onSaved: (alert: Alert) => void;
}

const directions = [
  { id: 'above', label: 'Above' },
  { id: 'below', label: 'Below' },
] as const;
const aggregations = [
  { id: 'avg', label: 'Mean' },
  { id: 'individual', label: 'Any single score' },
] as const;

/** Form of an alert: its condition, and where it sends notifications. */
export function AlertForm({ alert, onClose, onSaved }: AlertFormProps) {
  const save = useSaveAlert(alert?.id ?? null);
  const environments = useEnvironments().data ?? [];
  const channels = useAlertChannels().data?.channels;
  const [fields, setFields] = useState(() => fieldsOf(alert));
  const set = (change: Partial<AlertFields>) => setFields({ ...fields, ...change });
  const metric = metrics.find(({ id }) => id === fields.metric);
  const isReady =
    fields.name.trim() !== '' &&
    fields.threshold.trim() !== '' &&
    !save.isPending &&
    (fields.metric !== 'evaluation_score' || fields.evaluation_name !== '');
  const refusal = refusalOf(save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) save.mutate(draftOf(fields, channels), { onSuccess: onSaved });
  };
  const scopes = [{ id: '', label: 'Whole app' }, ...environments.map(({ id, name }) => ({ id, label: name }))];
  return (
    <Dialog title={alert ? `Edit ${alert.name}` : 'New alert'} onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        <Field
          label="Name"
          autoFocus
          value={fields.name}
          placeholder="Too many failures"
          problem={refusal.fields.name}
          onChange={(event) => set({ name: event.target.value })}
        />
        <div className="grid grid-cols-2 gap-3">
          <SelectField
            label="Metric"
            options={metrics}
            value={fields.metric}
            onChange={(id) => set({ metric: id })}
            problem={refusal.fields.metric}
            help={metric?.about}
          />
          <SelectField
            label="Scope"
            options={scopes}
            value={fields.environment_id}
            onChange={(environment_id) => set({ environment_id })}
            problem={refusal.fields.environment_id}
          />
        </div>
        <ThresholdFields fields={fields} set={set} problems={refusal.fields} />
        <PreviewPart fields={fields} />
        <ReceiverFields fields={fields} set={set} problems={refusal.fields} />
        <FormFoot problem={restOf(refusal, alertFieldNames)}>
          <Button submit primary disabled={!isReady}>
            {alert ? 'Save alert' : 'Create alert'}
          </Button>
        </FormFoot>
      </form>
    </Dialog>
  );
}

interface ThresholdFieldsProps {
  fields: AlertFields;
  set: (change: Partial<AlertFields>) => void;
  problems: Readonly<Record<string, string>>;
}

/** Fields for the threshold and the time window. */
function ThresholdFields({ fields, set, problems }: ThresholdFieldsProps) {
  const metric = metrics.find(({ id }) => id === fields.metric);
  return (
    <>
      {fields.metric === 'evaluation_score' && (
        <div className="grid grid-cols-3 gap-3">
          <Field
            label="Score"
            value={fields.evaluation_name}
            placeholder="helpfulness"
            problem={problems.evaluation_name}
            onChange={(event) => set({ evaluation_name: event.target.value })}
          />
          <SelectField
            label="Aggregation"
            options={aggregations}
            value={fields.evaluation_aggregation}
            onChange={(evaluation_aggregation) => set({ evaluation_aggregation })}
          />
          <SelectField
            label="Direction"
            options={directions}
            value={fields.evaluation_threshold_direction}
            onChange={(evaluation_threshold_direction) => set({ evaluation_threshold_direction })}
          />
        </div>
      )}
      <div className="grid grid-cols-2 gap-3">
        <Field
          label={`Threshold (${metric?.unit ?? ''})`}
          inputMode="decimal"
          value={fields.threshold}
          problem={problems.threshold}
          onChange={(event) => set({ threshold: event.target.value })}
        />
        <Field
          label="Time window (minutes)"
          inputMode="numeric"
          value={fields.time_window}
          problem={problems.time_window}
          help="5 to 100."
          onChange={(event) => set({ time_window: event.target.value })}
        />
      </div>
    </>
  );
}
