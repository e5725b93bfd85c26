import { type FormEvent, useState } from 'react';
import type { ValvePolicy } from '../../../shared/contract/valve.ts';
import { Button } from '../../ui/button.tsx';
import { FormFoot } from '../../ui/form-foot.tsx';
import { Text } from '../../ui/text.tsx';
import { TokenLookup } from './token-lookup.tsx';
import { fieldsOf, isSame, policyOf, problemsOf } from './valve-draft.ts';
import { ValveForm } from './valve-form.tsx';
import { ValvePreview } from './valve-preview.tsx';

interface ValveEditorProps {
  /** The rules as they are kept. */
  policy: ValvePolicy;
  /** Shown on this trace; absent: on the newest spans. */
  traceId?: string | undefined;
  /** Keeps the rules. Absent where there is nothing to keep them for: they are only tried then. */
  saving?: { save: (policy: ValvePolicy) => void; isBusy: boolean; problem: string | null };
}

/** The rules of what leaves, and beside them what they do to spans that are here. Nothing changes until they are kept. */
export function ValveEditor({ policy: kept, traceId, saving }: ValveEditorProps) {
  const [fields, setFields] = useState(() => fieldsOf(kept));
  const problems = problemsOf(fields);
  const policy = policyOf(fields);
  const isFine = Object.keys(problems).length === 0;
  const isChanged = !isSame(policy, kept);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isFine && isChanged) saving?.save(policy);
  };
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,var(--spacing-form))_minmax(0,1fr)]">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section aria-label="Rules" tabIndex={0} className="grid min-h-0 content-start gap-6 overflow-y-auto border-line border-r p-pad">
        <form onSubmit={submit} aria-label="Rules of what leaves" className="grid gap-4">
          <ValveForm fields={fields} problems={problems} onChange={setFields} />
          {saving ? (
            <FormFoot problem={saving.problem}>
              <Button submit primary={isFine && isChanged} disabled={!isFine || !isChanged} aria-busy={saving.isBusy}>
                Keep these rules
              </Button>
              {isChanged && <Button onClick={() => setFields(fieldsOf(kept))}>As before</Button>}
            </FormFoot>
          ) : (
            <Text as="p" tone="dim">
              Here rules are tried on what is stored. Nothing is sent, and nothing is kept.
            </Text>
          )}
        </form>
        <TokenLookup />
      </section>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section aria-label="Preview" tabIndex={0} className="min-h-0 overflow-y-auto p-pad">
        <ValvePreview policy={isFine ? policy : null} traceId={traceId} />
      </section>
    </div>
  );
}
