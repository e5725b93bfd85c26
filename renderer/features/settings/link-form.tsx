import { type FormEvent, useState } from 'react';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { CheckField } from '../../ui/primitives/check-field.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useBranches, useLink, useRepositories } from './git-query.ts';

/** Chooses the repository and branch that the app is deployed from. */
export function LinkForm({ appId }: { appId: string }) {
  const [repository, setRepository] = useState('');
  const [branch, setBranch] = useState('');
  const [deploy, setDeploy] = useState(true);
  const repositories = useRepositories(appId, true);
  const selected = repositories.data?.find(({ full_name }) => full_name === repository);
  const branches = useBranches(appId, selected ? repository : '');
  const link = useLink(appId);
  const refusal = refusalOf(link.error ?? repositories.error ?? branches.error);
  const branchName = branch || selected?.default_branch || '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (repository !== '' && branchName !== '') link.mutate({ repository, branch: branchName, deploy });
  };
  return (
    <form onSubmit={submit} aria-label="Link a repository" className="grid w-form max-w-full gap-3">
      <Text as="h2" size="section" strong>
        Link a repository
      </Text>
      <Field
        label="Repository"
        list="git-repositories"
        value={repository}
        placeholder="acme/support-bot"
        problem={refusal.fields.repository}
        onChange={(event) => setRepository(event.target.value)}
      />
      <datalist id="git-repositories">
        {(repositories.data ?? []).map(({ full_name }) => (
          <option key={full_name} value={full_name} />
        ))}
      </datalist>
      <Field
        label="Branch"
        list="git-branches"
        value={branch}
        placeholder={selected?.default_branch ?? 'main'}
        problem={refusal.fields.branch}
        onChange={(event) => setBranch(event.target.value)}
      />
      <datalist id="git-branches">
        {(branches.data ?? []).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <CheckField label="Deploy the branch now" isOn={deploy} onChange={setDeploy} />
      <FormFoot problem={restOf(refusal, ['repository', 'branch'])}>
        <Button submit primary disabled={repository === '' || branchName === '' || link.isPending}>
          Link repository
        </Button>
      </FormFoot>
    </form>
  );
}
