import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { Text } from '../../ui/primitives/text.tsx';

interface CodeFormProps {
  first?: string;
  problem?: string;
  onCode: (code: string) => void;
}

/** Form for the code of a machine. */
export function CodeForm({ first = '', problem, onCode }: CodeFormProps) {
  const [code, setCode] = useState(first);
  const isReady = /[a-z]/i.test(code);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) onCode(code);
  };
  return (
    <form onSubmit={submit} aria-label="Find the machine" className="grid w-form max-w-full gap-3">
      <Text as="p" size="body" tone="quiet">
        Glasshouse on the machine that is to be linked shows a code of eight letters.
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
          Go on
        </Button>
      </FormFoot>
    </form>
  );
}
