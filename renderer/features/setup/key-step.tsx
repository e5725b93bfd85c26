import { Link } from '@tanstack/react-router';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { keyPlace } from '../../model/setup/setup-lines.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { CodeBlock } from '../../ui/viewers/code-block.tsx';
import type { useTarget } from './use-target.ts';

/** API key for programs. It is created with one button, and then filled in everywhere below. */
export function KeyStep({ setting: { target, mayCreate, create } }: { setting: ReturnType<typeof useTarget> }) {
  const problem = restOf(refusalOf(create.error), []);
  return (
    <section aria-label="Key" className="grid gap-2 border-line border-t pt-3">
      <Text as="h2" size="section" strong>
        API key
      </Text>
      {target.key === null ? (
        <>
          <Text as="p" size="body" tone="quiet">
            Programs send traces with an API key of this app.{' '}
            {mayCreate ? 'Create one, and it is filled in below' : 'Ask a member of your team for one, and put it'} in place of{' '}
            <code className="font-mono">{keyPlace}</code>.
          </Text>
          <span className="flex flex-wrap items-center gap-3">
            {mayCreate && (
              <Button primary disabled={create.isPending} onClick={() => create.mutate()}>
                Create key
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
            It is shown only once, and is filled in below. It can send traces and scores and read prompts, for the default environment.
          </Text>
        </>
      )}
    </section>
  );
}
