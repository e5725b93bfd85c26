import { Link } from '@tanstack/react-router';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { keyPlace } from '../../model/setup/setup-lines.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { CodeBlock } from '../../ui/viewers/code-block.tsx';
import type { useTarget } from './use-target.ts';

/** The key that programs send with: made here by one button, and then in every line below. */
export function KeyStep({ setting: { target, mayMake, make } }: { setting: ReturnType<typeof useTarget> }) {
  const problem = restOf(refusalOf(make.error), []);
  return (
    <section aria-label="Key" className="grid gap-2 border-line border-t pt-3">
      <Text as="h2" size="section" strong>
        A key
      </Text>
      {target.key === null ? (
        <>
          <Text as="p" size="body" tone="quiet">
            Programs send with a key of this app.{' '}
            {mayMake ? 'Make one, and it is filled in below' : 'Ask a member of your team for one, and put it'} where the lines say{' '}
            <code className="font-mono">{keyPlace}</code>.
          </Text>
          <span className="flex flex-wrap items-center gap-3">
            {mayMake && (
              <Button primary disabled={make.isPending} onClick={() => make.mutate()}>
                Make a key
              </Button>
            )}
            <Link to="/settings/keys" className="text-accent text-row hover:underline">
              All keys
            </Link>
            {problem && <Text tone="err">{problem}</Text>}
          </span>
        </>
      ) : (
        <>
          <CodeBlock code={target.key} label="the key" />
          <Text as="p" tone="warm">
            It is shown only now, and is filled in below. It may send traces and scores and read prompts, for the default environment.
          </Text>
        </>
      )}
    </section>
  );
}
