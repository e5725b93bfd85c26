import type { HiddenKind } from '../../../shared/contract/operations/redaction.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { CheckField } from '../../ui/primitives/check-field.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { TextArea } from '../../ui/primitives/text-area.tsx';
import { kindChoices } from './kind-labels.ts';
import type { RedactionFields, RedactionProblems } from './redaction-draft.ts';

interface RedactionFormProps {
  fields: RedactionFields;
  problems: RedactionProblems;
  onChange: (fields: RedactionFields) => void;
}

/** Recommended kinds: all except those that also match ordinary text, such as version numbers as IP addresses. */
const recommended: readonly HiddenKind[] = kindChoices.map(({ kind }) => kind).filter((kind) => kind !== 'ip');

const onlyChoices = [
  { name: 'environments', label: 'Environments', help: 'Separated by commas.' },
  { name: 'tags', label: 'Tags', help: 'Traces with any of these tags are sent.' },
] as const;

/** Form of the redaction rules. */
export function RedactionForm({ fields, problems, onChange }: RedactionFormProps) {
  const set = (part: Partial<RedactionFields>) => onChange({ ...fields, ...part });
  const toggle = (kind: HiddenKind, isOn: boolean) => {
    const hide = new Set(fields.hide);
    if (isOn) hide.add(kind);
    else hide.delete(kind);
    set({ hide });
  };
  return (
    <div className="grid content-start gap-4">
      <fieldset className="grid gap-1">
        <Text as="legend" size="section" strong className="pb-1">
          Drop
        </Text>
        <CheckField
          label="Inputs"
          help="prompts, arguments, template variables"
          isOn={fields.inputs}
          onChange={(inputs) => set({ inputs })}
        />
        <CheckField
          label="Outputs"
          help="responses, results, retrieved documents"
          isOn={fields.outputs}
          onChange={(outputs) => set({ outputs })}
        />
        <TextArea
          label="Attributes"
          help="One key per line; * matches anything, as in app.customer.*"
          rows={3}
          value={fields.keys}
          problem={problems.keys}
          onChange={(event) => set({ keys: event.target.value })}
        />
      </fieldset>
      <fieldset className="grid gap-0.5">
        <Text as="legend" size="section" strong className="pb-1">
          Replace with tokens
        </Text>
        {kindChoices.map(({ kind, label, help }) => (
          <CheckField key={kind} label={label} help={help} isOn={fields.hide.has(kind)} onChange={(isOn) => toggle(kind, isOn)} />
        ))}
        <div className="flex gap-2 pt-1">
          <Button onClick={() => set({ hide: new Set(recommended) })}>Recommended</Button>
          <Button onClick={() => set({ hide: new Set() })}>None</Button>
        </div>
      </fieldset>
      <fieldset className="grid gap-2">
        <Text as="legend" size="section" strong className="pb-1">
          Send only
        </Text>
        {onlyChoices.map(({ name, label, help }) => (
          <Field
            key={name}
            label={label}
            placeholder="all"
            help={help}
            value={fields[name]}
            problem={problems[name]}
            onChange={(event) => set({ [name]: event.target.value })}
          />
        ))}
      </fieldset>
    </div>
  );
}
