import { Link, useNavigate } from '@tanstack/react-router';
import { asFailure, isNotFound } from '../../api/failure.ts';
import type { TemplateMessage, TemplateView } from '../../model/template-view.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton, CopyIcon } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FailedState } from '../../ui/failed-state.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SkeletonCards } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Text } from '../../ui/text.tsx';
import { usePrompt } from './prompts-query.ts';
import { TracesOf } from './traces-of.tsx';

type Look = 'text' | 'tree' | 'config';

const looks = [
  { id: 'text', label: 'Messages' },
  { id: 'tree', label: 'Tree' },
  { id: 'config', label: 'Config' },
] as const;

const textOf = ({ name, pieces }: TemplateMessage) => `${name ? `${name}:\n` : ''}${pieces.map(({ text }) => text).join('')}`;

/** One prompt: its messages with their gaps, the tree it was read as, its configuration, and the traces it stands behind. */
export function PromptDetail({ path, look }: { path: string; look: Look }) {
  const navigate = useNavigate();
  const prompt = usePrompt(path);
  const show = (view: Look) => void navigate({ to: '/prompts', search: { path, ...(view === 'text' ? {} : { view }) }, replace: true });
  if (prompt.isError && isNotFound(prompt.error))
    return <EmptyState title="There is no such prompt">The file was moved or deleted.</EmptyState>;
  if (prompt.isError && !prompt.data)
    return <FailedState failure={asFailure(prompt.error, 'The prompt could not be read')} onRetry={() => void prompt.refetch()} />;
  return (
    <>
      <div className="flex h-header shrink-0 items-center gap-2 px-4">
        <Text as="h2" size="section" strong cut title={path}>
          {prompt.data?.view.name ?? path}
        </Text>
        <span className="ml-auto flex gap-2">
          {prompt.data && <CopyButton text={() => prompt.data.view.messages.map(textOf).join('\n\n')} label="Copy messages" />}
          <Link to="/prompts" replace className="split:hidden">
            <Button>Back</Button>
          </Link>
        </span>
      </div>
      {prompt.data ? (
        <Tabs label="Prompt" tabs={looks} active={look} onChange={show}>
          <div className="grid gap-2.5 p-4">
            {look === 'text' && <Messages view={prompt.data.view} path={path} />}
            {look === 'tree' && <JsonView value={prompt.data.tree} open={7} />}
            {look === 'config' && <CodeBlock code={prompt.data.view.config || '# no front matter'} label="the configuration" />}
          </div>
        </Tabs>
      ) : (
        <div className="p-4">
          <SkeletonCards label="Loading the prompt" />
        </div>
      )}
    </>
  );
}

const looksOf = { text: '', expression: 'rounded-key bg-mark px-0.5 font-mono text-row', tag: 'font-mono text-accent text-row' };

function Messages({ view, path }: { view: TemplateView; path: string }) {
  return (
    <>
      <Wanted label="variables" names={view.variables} none="It wants no variables." />
      {view.elements.length > 0 && <Wanted label="elements" names={view.elements} none="" />}
      {view.messages.map((message, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no identity but their place
        <Card key={i} head={message.name || 'text'} actions={<CopyIcon text={() => textOf(message)} label="Copy the message" />}>
          <p className="wrap-anywhere whitespace-pre-wrap text-body">
            {message.pieces.map(({ kind, text }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
              <span key={at} className={looksOf[kind]}>
                {text}
              </span>
            ))}
          </p>
        </Card>
      ))}
      <Text as="p" size="label" tone="dim">
        {`${path}. What it imports stands in its place; expressions are shown as written and were not run.`}
      </Text>
      <TracesOf name={view.name} />
    </>
  );
}

const Wanted = ({ label, names, none }: { label: string; names: readonly string[]; none: string }) => (
  <p className="flex flex-wrap items-center gap-1.5">
    <Text size="label" tone="dim">
      {label}
    </Text>
    {names.length === 0 ? <Text tone="dim">{none}</Text> : names.map((name) => <Pill key={name}>{name}</Pill>)}
  </p>
);
