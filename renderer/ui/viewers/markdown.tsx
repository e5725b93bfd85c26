/**
 * Untrusted Markdown as React elements. Never HTML: tags in the text are text, an image is its address, a link asks before it opens
 * (external-link.tsx). Loaded with the first message shown as Markdown.
 */
import MarkdownIt from 'markdown-it';
import { Fragment, memo, type ReactNode } from 'react';
import { ExternalLink } from '../primitives/external-link.tsx';
import { CodeBlock } from './code-block.tsx';

const reader = new MarkdownIt('default', { html: false, linkify: true, breaks: true, typographer: false });

type Token = ReturnType<typeof reader.parse>[number];

/** The supported elements. For any other one only the content is shown. */
const styles: Record<string, [tag: keyof React.JSX.IntrinsicElements, style: string]> = {
  p: ['p', 'my-1.5 first:mt-0 last:mb-0'],
  h1: ['p', 'mt-3 mb-1 font-strong text-title first:mt-0'],
  h2: ['p', 'mt-3 mb-1 font-strong text-section first:mt-0'],
  h3: ['p', 'mt-2 mb-1 font-strong first:mt-0'],
  h4: ['p', 'mt-2 mb-1 font-strong first:mt-0'],
  h5: ['p', 'mt-2 mb-1 font-strong first:mt-0'],
  h6: ['p', 'mt-2 mb-1 font-strong first:mt-0'],
  ul: ['ul', 'my-1.5 list-disc pl-5'],
  ol: ['ol', 'my-1.5 list-decimal pl-6'],
  li: ['li', 'my-0.5'],
  blockquote: ['blockquote', 'my-1.5 border-line-2 border-l-2 pl-3 text-fg-2'],
  em: ['em', ''],
  strong: ['strong', 'font-strong'],
  s: ['s', ''],
  table: ['table', 'my-1.5 block max-w-full overflow-x-auto text-row'],
  thead: ['thead', ''],
  tbody: ['tbody', ''],
  tr: ['tr', ''],
  th: ['th', 'border border-line-2 px-2 py-0.5 text-left font-strong'],
  td: ['td', 'border border-line-2 px-2 py-0.5 align-top'],
};

function leaf(token: Token, key: number): ReactNode {
  switch (token.type) {
    case 'inline':
      return <Fragment key={key}>{nest(token.children ?? [])}</Fragment>;
    case 'code_inline':
      return (
        <code key={key} className="wrap-anywhere rounded-key bg-raised px-1 font-mono text-row">
          {token.content}
        </code>
      );
    case 'fence':
    case 'code_block':
      return <CodeBlock key={key} code={token.content.replace(/\n$/, '')} label="code" />;
    case 'softbreak':
    case 'hardbreak':
      return <br key={key} />;
    case 'hr':
      return <hr key={key} className="my-2 border-line-2" />;
    case 'image': {
      const address = String(token.attrGet('src') ?? '');
      return <ExternalLink key={key} to={address}>{`image, not loaded: ${token.content || address}`}</ExternalLink>;
    }
    default:
      return token.content;
  }
}

function element(token: Token, children: ReactNode, key: number): ReactNode {
  if (token.type === 'link_open')
    return (
      <ExternalLink key={key} to={String(token.attrGet('href') ?? '')}>
        {children}
      </ExternalLink>
    );
  const style = Object.hasOwn(styles, token.tag) ? styles[token.tag] : undefined;
  if (!style || token.hidden) return <Fragment key={key}>{children}</Fragment>;
  const [Tag, className] = style as ['p', string];
  const start = Number(token.attrGet('start'));
  return (
    <Tag key={key} className={className} {...(token.tag === 'ol' && start > 1 ? { start } : {})}>
      {children}
    </Tag>
  );
}

/** Nests a flat list of opening and closing tokens into elements. */
function nest(tokens: readonly Token[]): ReactNode[] {
  const parents: { open: Token; children: ReactNode[] }[] = [];
  let children: ReactNode[] = [];
  tokens.forEach((token, i) => {
    if (token.nesting === 1) {
      parents.push({ open: token, children });
      children = [];
    } else if (token.nesting === -1) {
      const last = parents.pop();
      if (last) children = [...last.children, element(last.open, children, i)];
    } else children.push(leaf(token, i));
  });
  return children;
}

/** In the colour of what surrounds it. Parses again only when the text changes. */
export const Markdown = memo(({ text }: { text: string }) => <div className="wrap-anywhere text-body">{nest(reader.parse(text, {}))}</div>);
