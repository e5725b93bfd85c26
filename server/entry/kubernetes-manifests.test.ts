/** The manifests of deploy/k8s name only what exists: settings, routes, ports, labels, secrets and volumes. No cluster runs them here. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Route } from '../../shared/contract/core/route.ts';
import { contract } from '../../shared/contract/index.ts';
import { readCloudSettings } from './cloud-settings.ts';
import { settingNames } from './setting-names.ts';

const folder = join(import.meta.dirname, '../../deploy/k8s');
/** How long a gateway may take to end, seconds (docs/deploy.md). */
const endSeconds = 30;

type Labels = Record<string, string>;
interface Probe {
  httpGet: { path: string; port: string };
}
interface Container {
  args: string[];
  envFrom: { configMapRef: { name: string } }[];
  env: { name: string; value?: string; valueFrom?: { fieldRef: { fieldPath: string } } }[];
  ports: { name: string; containerPort: number }[];
  startupProbe: Probe;
  readinessProbe: Probe;
  livenessProbe: Probe;
  lifecycle?: { preStop: { exec: { command: [string, string] } } };
  resources: { requests: Labels; limits: Labels };
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string; mountPath: string }[];
}
interface Volume {
  name: string;
  emptyDir?: object;
  secret?: { secretName: string; items: { key: string; path: string }[] };
}
interface PodSpec {
  enableServiceLinks: boolean;
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds: number;
  securityContext: Record<string, unknown>;
  containers: [Container];
  volumes: Volume[];
}
interface PodTemplate {
  metadata: { labels: Labels; annotations: Labels };
  spec: PodSpec;
}
interface Manifest {
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels; annotations?: Labels };
  data?: Labels;
  stringData?: Labels;
  spec?: {
    selector?: { matchLabels?: Labels };
    ports?: { targetPort: string }[];
    template?: PodTemplate;
    volumeClaimTemplates?: { metadata: { name: string } }[];
  };
}

const namesIn = (path: string) => readdirSync(join(folder, path)).filter((name) => name.endsWith('.yaml'));

function read(path: string): Manifest[] {
  const documents = parseAllDocuments(readFileSync(join(folder, path), 'utf8'));
  return [...documents].map((document) => {
    expect(document.errors, path).toEqual([]);
    return document.toJS() as Manifest;
  });
}

const [namespace, secret] = [read('namespace.yaml')[0], read('secret.example.yaml')[0]] as [Manifest, Manifest];
const routes = Object.values(contract).flatMap((group) => Object.values(group as Record<string, Route>).map(({ path }) => path));

describe.each(['fleet', 'single'])('deploy/k8s/%s', (variant) => {
  const manifests = namesIn(variant).flatMap((name) => read(`${variant}/${name}`));
  const ofKind = (kind: string) => manifests.find((manifest) => manifest.kind === kind) as Manifest;
  const workload = ofKind(variant === 'fleet' ? 'Deployment' : 'StatefulSet');
  const { metadata: podMetadata, spec: pod } = (workload.spec as { template: PodTemplate }).template;
  const [container] = pod.containers;
  const configMap = ofKind('ConfigMap');
  const fileSettings = container.env.filter(({ name }) => name.endsWith('_FILE'));
  const portOf = (name: string | undefined) => container.ports.find((port) => port.name === name)?.containerPort;
  const mountOf = (name: string) => container.volumeMounts.find((mount) => mount.name === name)?.mountPath;

  /** What the gateway would read, with the values of the example secret in place of files. */
  const variables = {
    ...configMap.data,
    ...Object.fromEntries(container.env.map(({ name, value }) => [name, value?.replace('$(POD_IP)', '10.0.0.7')])),
    ...Object.fromEntries(
      fileSettings.flatMap(({ name, value }) => [
        [name, undefined],
        [name.slice(0, -'_FILE'.length), secret.stringData?.[value?.split('/').at(-1) ?? '']],
      ]),
    ),
  };

  it('is in the namespace', () => {
    for (const { metadata } of [...manifests, secret]) expect(metadata.namespace, metadata.name).toBe(namespace.metadata.name);
  });

  it('sets only settings that exist, and the gateway accepts their values', () => {
    const names = [...Object.keys(configMap.data ?? {}), ...container.env.map(({ name }) => name)];
    expect(names.filter((name) => !settingNames.has(name))).toEqual(variant === 'fleet' ? ['POD_IP'] : []);
    expect(container.envFrom).toEqual([{ configMapRef: { name: configMap.metadata.name } }]);
    const settings = readCloudSettings(variables);
    expect(settings.publicUrl).toBe('https://traces.example.com');
    expect(settings.internalUrl).toBe(variant === 'fleet' ? 'http://10.0.0.7:9419' : null);
  });

  it('finds each secret in the example, as the file that a setting names', () => {
    const volume = pod.volumes.find((each) => each.secret)?.secret;
    expect(volume?.secretName).toBe(secret.metadata.name);
    const files = volume?.items.map(({ path }) => `${mountOf('secrets')}/${path}`);
    expect(fileSettings.map(({ value }) => value)).toEqual(files);
    for (const { key } of volume?.items ?? []) expect(Object.keys(secret.stringData ?? {})).toContain(key);
  });

  it('probes routes that exist: only readiness depends on the databases', () => {
    const { startupProbe, readinessProbe, livenessProbe } = container;
    expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path)).toEqual(['/health', '/health', '/ready']);
    for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
      expect(routes).toContain(httpGet.path);
      expect(portOf(httpGet.port)).toBe(portOf('http'));
    }
  });

  it('names the ports that the gateway listens on', () => {
    const { args } = container;
    expect(portOf('http')).toBe(Number(args[args.indexOf('--port') + 1]));
    expect(portOf('metrics')).toBe(Number(configMap.data?.['GLASSHOUSE_METRICS_PORT']));
    expect(podMetadata.annotations['prometheus.io/port']).toBe(configMap.data?.['GLASSHOUSE_METRICS_PORT']);
    for (const { targetPort } of ofKind('Service').spec?.ports ?? []) expect(portOf(targetPort)).toBe(portOf('http'));
  });

  it('selects its own pods', () => {
    const selectors = manifests.flatMap(({ spec }) => (spec?.selector ? [spec.selector.matchLabels ?? (spec.selector as Labels)] : []));
    expect(selectors).toHaveLength(variant === 'fleet' ? 3 : 2);
    for (const selector of selectors) expect(podMetadata.labels).toMatchObject(selector);
  });

  it('writes only to its volumes, as a user without rights', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: 'RuntimeDefault' } });
    const rights = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } };
    expect(container.securityContext).toEqual(rights);
    expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
    const volumes = [
      ...pod.volumes.map(({ name }) => name),
      ...(workload.spec?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name),
    ];
    expect(container.volumeMounts.map(({ name }) => name).sort()).toEqual(volumes.sort());
    const { args } = container;
    expect(args[args.indexOf('--data') + 1]).toMatch(new RegExp(`^${mountOf('data')}/`));
    expect(container.resources).toMatchObject({ requests: { memory: expect.any(String) }, limits: { memory: expect.any(String) } });
  });

  it('gives the gateway the time to end', () => {
    const pauseSeconds = Number(container.lifecycle?.preStop.exec.command[1] ?? 0);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(pauseSeconds + endSeconds);
  });
});
