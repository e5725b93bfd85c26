import { Text } from '../../ui/primitives/text.tsx';
import { CodeBlock } from '../../ui/viewers/code-block.tsx';

/** Code block to copy, with a title. */
export const CodeStep = ({ title, code }: { title: string; code: string }) => (
  <section className="grid grid-cols-[minmax(0,1fr)] gap-1">
    <Text as="h3" size="label" tone="quiet">
      {title}
    </Text>
    <CodeBlock code={code} label={title} />
  </section>
);
