import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEnvironments } from '../features/environments/environments-query.ts';
import { Choice, Group } from './menu-choices.tsx';

/** Whose traces are listed: those of every environment of the app, or of one. The address holds it, as it does every other condition. */
export function EnvironmentChoices({ onChosen }: { onChosen: () => void }) {
  const { data } = useEnvironments();
  const chosen = useSearch({ strict: false }).environment;
  const navigate = useNavigate();
  const choose = (environment?: string) => {
    onChosen();
    void navigate({ to: '/traces', search: environment === undefined ? {} : { environment } });
  };
  return (
    <Group title="Environments">
      <Choice isOn={chosen === undefined} onChoose={() => choose()}>
        All environments
      </Choice>
      {data?.map(({ id, name }) => (
        <Choice key={id} isOn={name === chosen} onChoose={() => choose(name)}>
          {name}
        </Choice>
      ))}
    </Group>
  );
}
