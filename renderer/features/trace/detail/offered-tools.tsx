import { useMemo, useState } from 'react';
import { plural } from '../../../model/text/format.ts';
import { type OfferedTool, readTools } from '../../../model/trace/tool-table.ts';
import { Card } from '../../../ui/primitives/card.tsx';
import { CopyIcon } from '../../../ui/primitives/copy-button.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { JsonView } from '../../../ui/viewers/json-view.tsx';
import { LongText } from '../../../ui/viewers/long-text.tsx';

const namesMax = 6;

/** Tools offered to a model: their names in one line; expanded, their parameters as tables. */
export function OfferedTools({ definitions }: { definitions: string }) {
  const tools = useMemo(() => readTools(definitions), [definitions]);
  if (tools.length === 0) return null;
  const names = tools.slice(0, namesMax).map(({ name }) => name);
  const more = tools.length - names.length;
  return (
    <Card
      folds="shut"
      head={
        <>
          <span className="shrink-0">{plural(tools.length, 'tool')}</span>
          <Text size="label" tone="dim" cut className="font-normal">
            {`${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`}
          </Text>
        </>
      }
      actions={<CopyIcon text={() => definitions} label="Copy tool definitions" />}
    >
      <div className="grid gap-3">
        {tools.map((tool, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a sender may offer one name twice
          <Tool key={`${i} ${tool.name}`} tool={tool} />
        ))}
      </div>
    </Card>
  );
}

function Tool({ tool: { name, description, parameters, source } }: { tool: OfferedTool }) {
  const [isRaw, setRaw] = useState(false);
  return (
    <section className="grid min-w-0 gap-1">
      <div className="flex items-baseline gap-2">
        <Text mono strong className="wrap-anywhere">
          {name}
        </Text>
        <button type="button" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)} className="shrink-0 text-fg-3 text-label hover:text-fg">
          {isRaw ? 'Show as table' : 'Show as sent'}
        </button>
      </div>
      {description && <LongText text={description} dim />}
      {isRaw ? <JsonView value={source} open={4} /> : <Parameters parameters={parameters} />}
    </section>
  );
}

function Parameters({ parameters }: { parameters: OfferedTool['parameters'] }) {
  if (parameters.length === 0) return <Text tone="dim">No parameters.</Text>;
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-row">
        <thead className="sr-only">
          <tr>
            <th>Parameter</th>
            <th>Type</th>
            <th>Description</th>
          </tr>
        </thead>
        <tbody>
          {parameters.map(({ path, type, isRequired, description }) => (
            <tr key={path} className="border-line border-t align-top">
              <td className="wrap-anywhere w-1/4 py-0.5 pr-3 font-mono text-fg">
                {path}
                {isRequired && (
                  <span title="Required" className="text-warm">
                    {' *'}
                    <span className="sr-only">required</span>
                  </span>
                )}
              </td>
              <td className="wrap-anywhere w-1/4 py-0.5 pr-3 font-mono text-fg-2">{type}</td>
              <td className="wrap-anywhere py-0.5 text-fg-2">{description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
