import { asFailure } from '../../api/failure.ts';
import { Field } from '../../ui/primitives/field.tsx';
import { SelectField } from '../../ui/primitives/select-field.tsx';
import { useRunnablePrompts } from './datasets-query.ts';

interface PromptFieldProps {
  /** Path under the templates folder; empty for no prompt. */
  value: string;
  problem: string | undefined;
  onChange: (path: string) => void;
}

const label = 'Prompt';

/** Prompt of the experiment: a choice from the list, or a typed path if the list cannot be loaded. */
export function PromptField({ value, problem, onChange }: PromptFieldProps) {
  const prompts = useRunnablePrompts();
  if (prompts.isError && !prompts.data)
    return (
      <Field
        label={label}
        value={value}
        placeholder="support/answer.prompt.mdx"
        help={`The prompts could not be loaded (${asFailure(prompts.error, '').why}) Enter a path under the templates folder, or leave it empty.`}
        problem={problem}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  const none = { id: '', label: prompts.data ? 'None: the worker’s own code defines the prompt' : 'Loading prompts…' };
  const listed = prompts.data?.map(({ path, name }) => ({ id: path, label: name === null ? path : `${name} (${path})` })) ?? [];
  return (
    <SelectField
      label={label}
      options={[none, ...listed]}
      value={value}
      help={prompts.data?.length === 0 ? 'No prompts: neither the deployed files nor the project folder has one.' : undefined}
      problem={problem}
      onChange={onChange}
    />
  );
}
