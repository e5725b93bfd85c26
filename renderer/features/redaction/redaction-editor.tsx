import { type FormEvent, useState } from 'react';
import type { RedactionPolicy } from '../../../shared/contract/operations/redaction.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { fieldsOf, isSame, policyOf, problemsOf } from './redaction-draft.ts';
import { RedactionForm } from './redaction-form.tsx';
import { RedactionPreview } from './redaction-preview.tsx';
import { TokenLookup } from './token-lookup.tsx';

interface RedactionEditorProps {
  /** Saved rules. */
  policy: RedactionPolicy;
  /** Trace of the preview; the newest spans if absent. */
  traceId?: string | undefined;
  /** Saves the rules. Absent without a destination: then rules are only previewed. */
  saving?: { save: (policy: RedactionPolicy) => void; isBusy: boolean; problem: string | null };
}

/** Redaction rules with a preview of their effect on stored spans. Nothing changes until they are saved. */
export function RedactionEditor({ policy: saved, traceId, saving }: RedactionEditorProps) {
  const [fields, setFields] = useState(() => fieldsOf(saved));
  const problems = problemsOf(fields);
  const policy = policyOf(fields);
  const isValid = Object.keys(problems).length === 0;
  const isChanged = !isSame(policy, saved);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isValid && isChanged) saving?.save(policy);
  };
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,var(--spacing-form))_minmax(0,1fr)]">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section aria-label="Rules" tabIndex={0} className="grid min-h-0 content-start gap-6 overflow-y-auto border-line border-r p-pad">
        <form onSubmit={submit} aria-label="Redaction rules" className="grid gap-4">
          <RedactionForm fields={fields} problems={problems} onChange={setFields} />
          {saving ? (
            <FormFoot problem={saving.problem}>
              <Button submit primary={isValid && isChanged} disabled={!isValid || !isChanged} aria-busy={saving.isBusy}>
                Save rules
              </Button>
              {isChanged && <Button onClick={() => setFields(fieldsOf(saved))}>Reset</Button>}
            </FormFoot>
          ) : (
            <Text as="p" tone="dim">
              These rules are only previewed on stored spans. Nothing is sent or saved.
            </Text>
          )}
        </form>
        <TokenLookup />
      </section>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section aria-label="Preview" tabIndex={0} className="min-h-0 overflow-y-auto p-pad">
        <RedactionPreview policy={isValid ? policy : null} traceId={traceId} />
      </section>
    </div>
  );
}
