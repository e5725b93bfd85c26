import type { Reply } from '../../../shared/contract/core/route.ts';
import type { viewerPrompts } from '../../../shared/contract/viewer/viewer-prompts.ts';
import { fail } from '../../app/fail.ts';
import { asPage, defineModule } from '../../app/module.ts';
import { fromProject, nameless, type TemplateTree, treeOf, type Wording } from '../../app/project-failure.ts';
import type { Deployment } from '../../control/deployment-store.ts';
import type { Scope } from '../../platform/scope.ts';
import type { PromptLibrary, PromptSet, PromptSetQuery, PromptSource } from '../../project/prompt-library.ts';
import { Encoded } from '../../telemetry/encoded.ts';

export const promptsModule = defineModule({
  group: 'prompts',
  needs: ['project'],
  build: ({ project }) => ({
    list: async ({ scope }, { query: { name } }) => {
      if (name === undefined && !project.capabilities.listing)
        fail('not_available_on_cloud', 'Prompts can be listed by name only', { hint: 'Ask with ?name=, or ask the local gateway.' });
      const found = await fromProject(nameless, () => project.prompts(scope, name));
      return { data: { paths: found.map(({ path }) => path) } };
    },
  }),
});

type PromptList = Reply<typeof viewerPrompts.list>['data'];

const wording: Wording = {
  field: 'path',
  illegal: 'invalid_query_params',
  unreadable: 'template_parse_error',
  tooLarge: 'payload_too_large',
};

export const viewerPromptsModule = defineModule({
  group: 'viewerPrompts',
  needs: ['promptLibrary', 'templates'],
  build: ({ promptLibrary, templates }) => ({
    list: async ({ scope }, { query }) => {
      const shelf = await shelfOf(promptLibrary, scope, query);
      const prompts = await fromProject(nameless, () => shelf.prompts());
      return {
        data: {
          source: sourceSummary(shelf.source),
          prompts: prompts.map((prompt) => ({ ...prompt, changed_by: prompt.changed_by && deploymentSummary(prompt.changed_by) })),
        },
      };
    },

    tree: async ({ scope }, { query }) => {
      const { path } = query;
      const shelf = await shelfOf(promptLibrary, scope, query);
      const files = { commit: async () => shelf.commit_sha, text: (name: string) => shelf.text(name) };
      const json = (await treeOf(wording, () => templates.read(scope, files, path))) ?? missing(path);
      return { data: new Encoded<TemplateTree>(new TextEncoder().encode(json)) };
    },

    text: async ({ scope }, { query }) => {
      const { path } = query;
      return { data: { path, text: await textOf(await shelfOf(promptLibrary, scope, query), path) } };
    },

    versions: async ({ scope }, { query }) => {
      const { environment, path } = query;
      const found = await fromProject(wording, () => promptLibrary.versions(scope, environment, path, query));
      const { data, total } = found ?? noEnvironment(environment);
      return asPage(query, { data: data.map(({ change, deployment }) => ({ change, deployment: deploymentSummary(deployment) })), total });
    },
  }),
});

async function shelfOf(library: PromptLibrary, scope: Scope, query: PromptSetQuery): Promise<PromptSet> {
  const found = await fromProject(nameless, () => library.promptSet(scope, query));
  if (found === 'environment') return noEnvironment(query.environment);
  if (found === 'deployment') return fail('deployment_not_found', `There is no deployment ${query.deployment_id}`);
  return found;
}

const noEnvironment = (name: string | undefined): never => fail('environment_not_found', `There is no environment ${name ?? ''}`);

const textOf = async (shelf: PromptSet, path: string): Promise<string> =>
  (await fromProject(wording, () => shelf.text(path))) ?? missing(path);

const missing = (path: string): never => fail('template_not_found', `No template ${path}`);

const deploymentSummary = ({ id, env_version, commit_sha, commit_message, initiated_by, note, created_at }: Deployment) => ({
  ...{ id, env_version, commit_sha, commit_message, initiated_by, note, created_at },
});

const sourceSummary = (source: PromptSource): PromptList['source'] =>
  source.kind === 'folder' ? source : { ...source, deployment: source.deployment && deploymentSummary(source.deployment) };
