import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { gateway } from '../../api/client.ts';
import { asFailure } from '../../api/failure.ts';
import { useWhyNot } from '../../api/identity.ts';
import type { Target } from '../../model/setup/setup-lines.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { CopyButton } from '../../ui/primitives/copy-button.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { agentPrompt } from './agent-prompt.ts';
import { demoTrace } from './demo-trace.ts';

/** Two quick starts: setup by a coding agent, and a demo trace. */
export const QuickStarts = ({ target }: { target: Target }) => (
  <div className="grid border-line border-y split:grid-cols-2 split:divide-x split:divide-line">
    <WithAgent target={target} />
    <WithDemo />
  </div>
);

function QuickStart({ title, children, action }: { title: string; children: ReactNode; action: ReactNode }) {
  return (
    <section aria-label={title} className="grid content-start justify-items-start gap-2 py-3 split:px-4 split:first:pl-0">
      <Text as="h2" size="section" strong>
        {title}
      </Text>
      <Text as="p" size="body" tone="quiet">
        {children}
      </Text>
      {action}
    </section>
  );
}

function WithAgent({ target }: { target: Target }) {
  const text = () => agentPrompt(target);
  return (
    <QuickStart title="Set up with a coding agent" action={<CopyButton text={text} label="Copy prompt" />}>
      A prompt for Claude Code, Codex, Cursor and the like: it finds your framework, sets the address, runs the program and checks here
      whether a trace has arrived.
    </QuickStart>
  );
}

function WithDemo() {
  const navigate = useNavigate();
  const whyNot = useWhyNot()('trace.write');
  const send = useMutation({
    networkMode: 'always',
    mutationFn: async () => {
      const { traceId, request } = demoTrace(Date.now());
      await gateway.ingest.traces({ body: request });
      return traceId;
    },
    onSuccess: (traceId) => navigate({ to: '/traces/$traceId', params: { traceId } }),
  });
  return (
    <QuickStart
      title="Try a demo trace"
      action={
        <span className="flex min-h-control items-center gap-2">
          <Button whyNot={whyNot} disabled={send.isPending} onClick={() => send.mutate()}>
            Send demo trace
          </Button>
          {send.isError && (
            <Text tone="err" cut title={asFailure(send.error, '').why}>
              {asFailure(send.error, 'The demo trace could not be sent').why}
            </Text>
          )}
        </span>
      }
    >
      Seven made-up spans of an agent, sent to this gateway like those of any program. No model is called. The trace stays in the list,
      named “Demo” and tagged “demo”, until you delete it.
    </QuickStart>
  );
}
