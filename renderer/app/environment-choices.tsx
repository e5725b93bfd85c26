import { useEnvironments } from '../features/environments/environments-query.ts';
import { Choice, Group } from './menu-choices.tsx';
import { switchEnvironment, useEnvironment } from './place.ts';

/** Environment of the page: all environments or one. */
export function EnvironmentChoices({ onChosen }: { onChosen: () => void }) {
  const { data } = useEnvironments();
  const chosen = useEnvironment();
  const choose = (environment?: string) => {
    onChosen();
    if (environment !== chosen) switchEnvironment(environment);
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
