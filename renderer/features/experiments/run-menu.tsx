import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { gateway } from '../../api/client.ts';
import { useMay } from '../../api/identity.ts';
import { useServed } from '../../api/served.ts';
import { plural } from '../../model/text/format.ts';
import { Action, ActionMenu } from '../../ui/overlays/action-menu.tsx';
import { Button } from '../../ui/primitives/button.tsx';

/** As many as a menu can show; the page of datasets has all. */
const shownMax = 20;

/** Chooses the dataset of a new run, whose form opens there. Renders nothing where no run can be started. */
export function RunMenu() {
  const isServed = useServed()('experiment_runs');
  const mayRun = useMay()('worker.run') && isServed;
  const navigate = useNavigate();
  const datasets = useQuery({
    queryKey: ['experiments', 'datasets'],
    queryFn: async () => (await gateway.datasets.list({ query: { limit: shownMax } })).data,
    enabled: mayRun,
    staleTime: 0,
  });
  if (!mayRun) return null;
  const rowsOf = (rows: number | null) => (rows === null ? '' : plural(rows, 'row'));
  const open = (name: string) => void navigate({ to: '/datasets', search: { name, run: 'experiment' } });
  return (
    <ActionMenu label="Run experiment on" trigger={<Button>Run experiment</Button>}>
      {(datasets.data ?? []).map(({ name, row_count }) => (
        <Action key={name} label={name} about={rowsOf(row_count)} onSelect={() => open(name)} />
      ))}
      <Action label="Datasets" about="all of them, and new ones" onSelect={() => void navigate({ to: '/datasets' })} />
    </ActionMenu>
  );
}
