/** Texts that take their parser far longer, or far more memory, than their length suggests. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hostileTemplates as texts } from '../../fixtures/hostile-templates.ts';
import { aProject } from '../../fixtures/project-tree.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

const project = aProject({
  'agentmark.json': '{}',
  'agentmark/fine.prompt.mdx': '---\nname: fine\n---\n\n<User>\nHi {props.name}\n</User>\n',
  ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [`agentmark/${name}.mdx`, text])),
});
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ projectDir: project.root });
});
afterAll(async () => {
  await gateway.stop();
  project.remove();
});

const ask = async (path: string) => {
  const answer = await gateway.fetch(`/v1/templates?path=${path}`);
  return { status: answer.status, body: await answer.json() };
};
const fine = { status: 200, body: { data: { children: [{ type: 'yaml', value: 'name: fine' }, { name: 'User' }] } } };

it.each(Object.keys(texts))('60 kB of %s are read or refused, and the next template is read', async (name) => {
  const { status, body } = await ask(`${name}.mdx`);
  expect([200, 400], JSON.stringify(body).slice(0, 500)).toContain(status);
  if (status === 400) expect(body).toMatchObject({ error: { code: 'template_parse_error', line: expect.any(Number) } });
  expect(await ask('fine.prompt.mdx')).toMatchObject(fine);
});

it('one that takes too long is refused as such, and is not read again until it changes', async () => {
  const slow = { status: 400, body: { error: { code: 'template_parse_error', message: expect.stringMatching(/more time or memory/) } } };
  expect(await ask('strong.mdx')).toMatchObject(slow);
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask('strong.mdx')));
  for (const answer of answers) expect(answer).toMatchObject(slow);
  project.write('agentmark/strong.mdx', '**a**');
  expect(await ask('strong.mdx')).toMatchObject({ status: 200, body: { data: { children: [{ type: 'paragraph' }] } } });
});

it('requests wait while another template is read, and are answered', async () => {
  const answers = await Promise.all(
    ['runs', 'fine.prompt', 'brackets', 'fine.prompt'].map((name, index) => {
      if (!name.startsWith('fine')) project.write(`agentmark/${name}.mdx`, `${texts[name]}${index}`);
      return ask(`${name}.mdx`);
    }),
  );
  expect([answers[1], answers[3]]).toMatchObject([fine, fine]);
});
