import { type FormEvent, useState } from 'react';
import { refusalOf } from '../../api/refusal.ts';
import { exactly } from '../../model/time/time.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { CopyIcon } from '../../ui/primitives/copy-button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { kindLabel } from './kind-labels.ts';
import { useTokenLookup } from './redaction-query.ts';

/** Looks up the value of a redaction token. */
export function TokenLookup() {
  const [text, setText] = useState('');
  const lookup = useTokenLookup();
  const token = text.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (token !== '') lookup.mutate(token);
  };
  return (
    <form onSubmit={submit} aria-label="Look up a token" className="grid gap-2">
      <Field
        label="Look up a redaction token"
        placeholder="‹email-…›"
        help="Only this machine can resolve it."
        problem={refusalOf(lookup.error).whole ?? undefined}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="flex min-w-0 items-center gap-2">
        <Button submit disabled={token === ''} aria-busy={lookup.isPending}>
          Look up
        </Button>
      </div>
      {lookup.data && (
        <div role="status" className="grid gap-0.5">
          <span className="flex min-w-0 items-start gap-2">
            <Text mono className="wrap-anywhere whitespace-pre-wrap">
              {lookup.data.value}
            </Text>
            <CopyIcon text={() => lookup.data.value} label="Copy value" />
          </span>
          <Text tone="dim">{`${kindLabel(lookup.data.kind)}, first masked ${exactly(lookup.data.first_at)}`}</Text>
        </div>
      )}
    </form>
  );
}
