import type { ReactNode } from 'react';
import type { RawSpanReply } from '../../../../shared/contract/tracing/raw-span.ts';
import { cost, count } from '../../../model/text/format.ts';
import { costLines, reasons } from '../../../model/trace/why.ts';
import { Text } from '../../../ui/primitives/text.tsx';
import { usePrice } from './span-query.ts';

/** Each normalised value with the attribute or rule it was read from, and how the cost was computed from tokens. */
export function Why({ raw }: { raw: RawSpanReply }) {
  const list = reasons(raw);
  const family = String(raw.values.family ?? '');
  return (
    <div className="grid gap-4">
      <Text as="p" tone="quiet">
        {family
          ? `Read by the “${family}” convention, sent by ${String(raw.scope.name ?? 'an unnamed scope')}. Where several attributes hold a value, the first known one is used.`
          : 'The instrumentation was not recognised, so only attributes that OpenTelemetry itself defines were read.'}
      </Text>
      {list.length > 0 && (
        <Table head={['Field', 'Value', 'Read from']}>
          {list.map(({ field, value, source, isAttribute }) => (
            <tr key={field} className="border-line border-t align-top">
              <Cell>{field}</Cell>
              <Cell strong>{value.length > 200 ? `${value.slice(0, 200)}…` : value}</Cell>
              <Cell mono={isAttribute || /^[\w.*]+$/.test(source)}>{source}</Cell>
            </tr>
          ))}
        </Table>
      )}
      <WhyCost raw={raw} />
    </div>
  );
}

function WhyCost({ raw: { values, provenance } }: { raw: RawSpanReply }) {
  const model = String(values.model ?? values.request_model ?? '');
  const isReported = values.reported_cost !== undefined;
  const hasTokens = Number(values.input_tokens ?? 0) + Number(values.output_tokens ?? 0) + Number(values.total_tokens ?? 0) > 0;
  const price = usePrice(model, String(values.provider ?? ''), !isReported && hasTokens);
  if (isReported)
    return (
      <CostText>{`The cost of ${cost(Number(values.reported_cost))} was reported by the sender${provenance.reported_cost ? `, in ${provenance.reported_cost}` : ''}.`}</CostText>
    );
  if (!hasTokens) return <CostText>No tokens were reported, so there is no cost.</CostText>;
  if (values.usage_aggregate === true) return <CostText>The tokens repeat those of the calls below, which have the cost.</CostText>;
  if (price.isPending && model !== '') return null;
  if (!price.data)
    return <CostText>{`No price is known for ${model || 'a span without a model'}. You can add one in prices.json.`}</CostText>;
  const { matched, estimated, tier_above } = price.data;
  const lines = costLines(values, price.data);
  return (
    <section className="grid gap-1">
      <CostText>
        {`By today's price of ${matched}${estimated ? ', an estimate' : ''}${tier_above ? `; above ${count(tier_above)} input tokens, a higher tier applies` : ''}. The cost shown was computed when the span arrived.`}
      </CostText>
      <Table head={['Tokens', 'Type', 'Rate', 'Cost']}>
        {lines.map(({ what, tokens, rate, cost: amount }) => (
          <tr key={what} className="border-line border-t">
            <Cell strong>{count(tokens)}</Cell>
            <Cell>{what}</Cell>
            <Cell>{`${cost(rate)} per million`}</Cell>
            <Cell strong>{amount}</Cell>
          </tr>
        ))}
      </Table>
    </section>
  );
}

const CostText = ({ children }: { children: string }) => (
  <Text as="p" tone="quiet">
    {children}
  </Text>
);

const Table = ({ head, children }: { head: readonly string[]; children: ReactNode }) => (
  <div className="overflow-x-auto">
    <table className="w-full text-row">
      <thead>
        <tr>
          {head.map((title) => (
            <th key={title} className="pr-3 pb-1 text-left font-normal text-fg-3 text-label">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

const Cell = ({ children, strong, mono }: { children: string; strong?: boolean; mono?: boolean }) => (
  <td className={`wrap-anywhere py-0.5 pr-3 tabular-nums ${strong ? 'text-fg' : 'text-fg-2'} ${mono ? 'font-mono' : ''}`}>
    {children || '—'}
  </td>
);
