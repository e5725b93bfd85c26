import { Link } from '@tanstack/react-router';
import type { Spending, SpendingSums } from '../../../shared/contract/viewer/spending.ts';
import { spellValue } from '../../model/filter/filter-text.ts';
import { cost, count, percent, tokens } from '../../model/text/format.ts';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { Breakdown } from './url.ts';
import { folderName, savings } from './words.ts';

interface Row extends SpendingSums {
  key: string;
  name: string;
  /** Beside the name. */
  about: string;
  /** Of its traces; null where none selects them. */
  filter: string | null;
}

const choices = [
  { id: 'project', label: 'Projects' },
  { id: 'model', label: 'Models' },
  { id: 'agent', label: 'Agents' },
] as const;

const rowsOf = ({ projects, models, agents }: Spending, by: Breakdown): Row[] => {
  if (by === 'model')
    return models.map((row) => ({ ...row, key: row.model, name: row.model || 'not named', about: '', filter: clause('model', row.model) }));
  if (by === 'agent')
    return agents.map((row) => ({ ...row, key: row.agent, name: row.agent || 'no service', about: '', filter: agentFilter(row.agent) }));
  return projects.map((row) => ({
    ...row,
    key: row.folder ?? '',
    name: row.folder === null ? 'Folder not recorded' : folderName(row.folder),
    about: row.folder ?? '',
    filter: clause('metadata.folder', row.folder ?? ''),
  }));
};

const clause = (field: string, value: string): string | null => (value === '' ? null : `${field} = ${spellValue(value)}`);
/** Codex has a service for each of its programs. */
const agentFilter = (agent: string): string | null => (agent === 'codex' ? 'service starts with codex' : clause('service', agent));

const heads = ['Cost', 'Share', 'Calls', 'Input', 'From cache', 'Output', 'Saved'];

/** The sums broken down; a name opens its traces. */
export function BreakdownTable({ spending, by, onBy }: { spending: Spending; by: Breakdown; onBy: (by: Breakdown) => void }) {
  const rows = rowsOf(spending, by);
  const whole = spending.total.cost;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section aria-label={`By ${by}`} tabIndex={0} className="overflow-x-auto border-line border-b py-2">
      <div className="flex px-pad pb-1">
        <Segmented label="Break down by" options={choices} value={by} onChange={onBy} />
      </div>
      <table className="w-full text-row">
        <thead>
          <tr className="h-row text-fg-3 text-label">
            <th scope="col" className="px-pad text-left font-normal">
              {choices.find(({ id }) => id === by)?.label}
            </th>
            {heads.map((head) => (
              <th key={head} scope="col" className="px-pad text-right font-normal">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <BreakdownRow key={row.key} row={row} whole={whole} />
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="px-pad py-2 text-fg-3 text-row">No model calls in this time.</p>}
      {spending.left_out > 0 && (
        <p className="px-pad py-1 text-fg-3 text-label">{`The 200 most expensive of each are listed; ${count(spending.left_out)} more are only in the total.`}</p>
      )}
    </section>
  );
}

function BreakdownRow({ row, whole }: { row: Row; whole: number }) {
  const share = whole > 0 ? row.cost / whole : 0;
  const fromCache = row.input_tokens > 0 ? percent(row.cache_read_tokens / row.input_tokens) : '—';
  const isUnpriced = row.unpriced_calls > 0;
  return (
    <tr className="h-row hover:bg-hover">
      <th scope="row" className="max-w-form px-pad text-left font-normal">
        <span className="flex min-w-0 items-baseline gap-2">
          {row.filter === null ? (
            <Text tone="dim">{row.name}</Text>
          ) : (
            <Link
              to="/traces"
              search={{ filter: row.filter }}
              title={`Open the traces of ${row.about || row.name}`}
              className="shrink-0 hover:underline"
            >
              {row.name}
            </Link>
          )}
          <Text size="label" tone="dim" cut title={row.about} className="max-split:hidden">
            {row.about}
          </Text>
        </span>
      </th>
      <td className="num px-pad" title={isUnpriced ? `Without ${count(row.unpriced_calls)} calls that have no price` : undefined}>
        <Text tone={isUnpriced ? 'warm' : 'fg'}>{isUnpriced && row.cost === 0 ? 'no price' : cost(row.cost)}</Text>
      </td>
      <td className="num px-pad">
        <span className="flex items-center justify-end gap-2">
          <svg aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none" className="h-bar w-total max-split:hidden">
            <rect width={100} height={10} className="fill-raised" />
            <rect width={share * 100} height={10} className="fill-accent" />
          </svg>
          <Text tone="quiet" className="w-10">
            {percent(share)}
          </Text>
        </span>
      </td>
      {[count(row.calls), tokens(row.input_tokens), fromCache, tokens(row.output_tokens), savings(row.cache_savings)].map((text, at) => (
        <td key={heads[at + 2]} className="num px-pad text-fg-2">
          {text}
        </td>
      ))}
    </tr>
  );
}
