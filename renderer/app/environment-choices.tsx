import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEnvironments } from '../features/environments/environments-query.ts';
import { Choice, Group } from './menu-choices.tsx';

/** Environment filter of the lists: all environments or one. Stored in the address like every other condition. */
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
