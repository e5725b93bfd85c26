import { asFailure } from '../../api/failure.ts';
import { Field } from '../../ui/primitives/field.tsx';
import { SelectField } from '../../ui/primitives/select-field.tsx';
import { useRunnablePrompts } from './datasets-query.ts';

interface PromptFieldProps {
  /** A path under the templates; empty for none. */
  value: string;
  problem: string | undefined;
  onChange: (path: string) => void;
}

const label = 'Prompt';

/** Prompt of the experiment: one of the list, or a typed path where prompts cannot be listed. */
export function PromptField({ value, problem, onChange }: PromptFieldProps) {
  const prompts = useRunnablePrompts();
  if (prompts.isError && !prompts.data)
    return (
      <Field
        label={label}
        value={value}
        placeholder="support/answer.prompt.mdx"
        help={`The prompts could not be listed (${asFailure(prompts.error, '').why}) A path under the templates folder, or nothing.`}
        problem={problem}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  const none = { id: '', label: prompts.data ? 'None: the worker’s own code says what is asked' : 'Loading prompts…' };
  const listed = prompts.data?.map(({ path, name }) => ({ id: path, label: name === null ? path : `${name} (${path})` })) ?? [];
  return (
    <SelectField
      label={label}
      options={[none, ...listed]}
      value={value}
      help={prompts.data?.length === 0 ? 'There is no prompt to choose: nothing that is deployed or in the folder has one.' : undefined}
      problem={problem}
      onChange={onChange}
    />
  );
}
