import { type FormEvent, useState } from 'react';
import type { KeyPermission } from '../../../shared/contract/identity/permissions.ts';
import { useMay } from '../../api/identity.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { CheckField } from '../../ui/primitives/check-field.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { SelectField } from '../../ui/primitives/select-field.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { permissionGroups, presets } from './key-permissions.ts';
import { type CreatedKey, type NewKey, useCreateKey, useEnvironmentNames } from './keys-query.ts';

const custom = 'custom';
const accessOptions = [...presets.map(({ id, label }) => ({ id, label })), { id: custom, label: 'Custom' }] as const;
type Access = (typeof accessOptions)[number]['id'];

const kinds = ['development', 'preview', 'production'] as const;
type Kind = (typeof kinds)[number];
const kindOf = (value: string): Kind | undefined => kinds.find((kind) => value === `kind:${kind}`);

interface KeyFormProps {
  /** Name of the environment that is selected at first. */
  environment: string | undefined;
  onClose: () => void;
  onCreated: (key: CreatedKey) => void;
}

/** Form for a new key: permissions and environment. */
export function KeyForm({ environment, onClose, onCreated }: KeyFormProps) {
  const create = useCreateKey();
  const environments = useEnvironmentNames().data ?? [];
  const [name, setName] = useState('');
  const [access, setAccess] = useState<Access>('sdk');
  const [customPermissions, setCustomPermissions] = useState<readonly KeyPermission[]>([]);
  const [target, setTarget] = useState(environment ? `name:${environment}` : '');
  const granted = presets.find(({ id }) => id === access)?.permissions ?? customPermissions;
  const isReady = name.trim() !== '' && granted.length > 0 && !create.isPending;
  const refusal = refusalOf(create.error);
  const kind = kindOf(target);
  const targets = [
    { id: '', label: 'The default environment' },
    ...environments.filter((option) => !option.is_default).map(({ name: option }) => ({ id: `name:${option}`, label: option })),
    ...kinds.map((option) => ({ id: `kind:${option}`, label: `The ${option} environment that each request names` })),
  ];

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const environmentFields: Partial<NewKey> = kind
      ? { environment_kinds: [kind] }
      : target
        ? { environment_name: target.slice('name:'.length) }
        : {};
    create.mutate({ name: name.trim(), permissions: [...granted], ...environmentFields }, { onSuccess: onCreated });
  };
  return (
    <Dialog title="New key" onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        <Field
          label="Name"
          autoFocus
          value={name}
          placeholder="support-bot, production"
          problem={refusal.fields.name}
          onChange={(event) => setName(event.target.value)}
        />
        <fieldset aria-label="Access" className="grid justify-items-start gap-1">
          <Text size="label" tone="quiet">
            Access
          </Text>
          <Segmented label="Access" options={accessOptions} value={access} onChange={setAccess} />
          <Text size="label" tone="dim">
            {presets.find(({ id }) => id === access)?.about ?? 'Only the permissions selected below.'}
          </Text>
        </fieldset>
        {access === custom && <CustomPermissions selected={customPermissions} onChange={setCustomPermissions} />}
        <SelectField
          label="Environment of its traces"
          options={targets}
          value={target}
          onChange={setTarget}
          problem={refusal.fields.environment_name ?? refusal.fields.environment_kinds}
          help={
            kind
              ? 'Each request names its environment, in the header X-Service-Environment.'
              : 'For all traces sent with this key, whatever the sender states.'
          }
        />
        <FormFoot problem={restOf(refusal, ['name', 'environment_name', 'environment_kinds'])}>
          <Button submit primary disabled={!isReady}>
            Create key
          </Button>
          <Text tone="dim">Its value is shown only once.</Text>
        </FormFoot>
      </form>
    </Dialog>
  );
}

/** Only permissions that the user has can be granted. */
function CustomPermissions({
  selected,
  onChange,
}: {
  selected: readonly KeyPermission[];
  onChange: (selected: readonly KeyPermission[]) => void;
}) {
  const may = useMay();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section aria-label="Permissions" tabIndex={0} className="max-h-image overflow-y-auto border-line border-y py-2">
      {/* The columns are inside the scroll container, because columns with a fixed height would grow sideways. */}
      <div className="columns-3 gap-4">
        {permissionGroups.map(([resource, group]) => (
          <fieldset key={resource} aria-label={resource} className="break-inside-avoid pb-2">
            {group.map((permission) => (
              <CheckField
                key={permission}
                label={permission}
                mono
                isOn={selected.includes(permission)}
                isDisabled={!may(permission)}
                onChange={(isOn) => onChange(isOn ? [...selected, permission] : selected.filter((other) => other !== permission))}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </section>
  );
}
