import { environmentLines, type Target } from '../../../model/setup/setup-lines.ts';
import { codingAgents } from '../coding-agents.ts';
import { frameworkGuides } from './framework-guides.ts';
import { sdkGuides } from './sdk-guides.ts';
import { install, nodePackages, nodeSdk, type SetupGuide } from './setup-guide.ts';

const generic = (target: Target): SetupGuide[] => [
  {
    id: 'environment',
    label: 'Any OpenTelemetry SDK',
    words: 'otlp environment variables go java rust ruby .net c# php mcp genai semantic conventions',
    when: 'The program already exports with OpenTelemetry, in any language. Its code does not change.',
    families: ['genai', 'mcp'],
    steps: [{ title: 'Set before it starts', code: environmentLines(target) }],
  },
  {
    id: 'opentelemetry-js',
    label: 'OpenTelemetry JS',
    words: 'node javascript typescript openai',
    when: 'A Node program without tracing. The instrumentation is that of OpenAI; there are more for other libraries.',
    families: ['genai'],
    steps: [
      install(`npm install ${nodePackages} @opentelemetry/instrumentation-openai`),
      {
        title: 'Create tracing.mjs',
        code: nodeSdk(
          target,
          "import { OpenAIInstrumentation } from '@opentelemetry/instrumentation-openai';\n",
          '',
          '  instrumentations: [new OpenAIInstrumentation({ captureMessageContent: true })],\n',
        ),
      },
      { title: 'Start with it', code: 'node --import ./tracing.mjs app.js' },
    ],
  },
  {
    id: 'opentelemetry-python',
    label: 'OpenTelemetry Python',
    words: 'openai requests fastapi flask django',
    when: 'A Python program, instrumented without changes to its code.',
    families: ['genai'],
    steps: [
      install('pip install opentelemetry-distro opentelemetry-exporter-otlp-proto-http\nopentelemetry-bootstrap -a install'),
      { title: 'Run', code: `${environmentLines(target)}\nexport OTEL_SERVICE_NAME=my-app\nopentelemetry-instrument python app.py` },
    ],
  },
];

const agents = (target: Target): SetupGuide[] =>
  codingAgents(target).map(({ id, name, about, families, steps }) => ({
    ...{ id, label: name, words: 'coding agent terminal cli', when: about },
    ...{ families, steps },
  }));

/** All guides in their groups. */
export const guideGroups = (target: Target): { title: string; guides: SetupGuide[] }[] => [
  { title: 'OpenTelemetry', guides: generic(target) },
  { title: 'Frameworks', guides: frameworkGuides(target) },
  { title: 'SDKs and instrumentations', guides: sdkGuides(target) },
  { title: 'Command-line agents', guides: agents(target) },
];

export const setupGuides = (target: Target): SetupGuide[] => guideGroups(target).flatMap(({ guides }) => guides);

/** Whether every typed word occurs in the name of the guide or in its other words. */
export function isFound({ label, words = '', when }: SetupGuide, query: string): boolean {
  const text = `${label} ${words} ${when}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
