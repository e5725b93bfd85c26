import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { Text } from '../../ui/primitives/text.tsx';

interface CodeFormProps {
  initialCode?: string;
  problem?: string;
  onCode: (code: string) => void;
}

/** Form for the code that a machine shows. */
export function CodeForm({ initialCode = '', problem, onCode }: CodeFormProps) {
  const [code, setCode] = useState(initialCode);
  const isReady = /[a-z]/i.test(code);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) onCode(code);
  };
  return (
    <form onSubmit={submit} aria-label="Enter the code" className="grid w-form max-w-full gap-3">
      <Text as="p" size="body" tone="quiet">
        Enter the code of eight letters that Glasshouse shows on the machine you want to link.
      </Text>
      <Field
        label="Code"
        autoFocus
        autoCapitalize="characters"
        placeholder="BCDF-GHJK"
        value={code}
        problem={problem}
        onChange={(event) => setCode(event.target.value)}
      />
      <FormFoot problem={null}>
        <Button submit primary disabled={!isReady}>
          Continue
        </Button>
      </FormFoot>
    </form>
  );
}
