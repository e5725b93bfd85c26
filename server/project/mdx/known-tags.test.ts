/** Which tags a template may use, by the kind of its prompt. */
import { describe, expect, it } from 'vitest';
import { buildTemplate } from './build-template.ts';
import type { PromptKind } from './front-matter.ts';
import { parseFile } from './syntax.ts';
import type { TreeNode } from './syntax-tree.ts';

type Files = Record<string, string>;

function build(source: Files | string, kind: PromptKind | null = null): TreeNode {
  const files = typeof source === 'string' ? { 'a.mdx': source } : source;
  const path = Object.keys(files)[0] as string;
  const built = buildTemplate(
    { path, text: files[path] as string, files: new Map(Object.entries(files)), commit_sha: null, kind },
    parseFile,
  );
  if (!('type' in built)) throw new Error(`Missing: ${built.join()}`);
  return built;
}

const prompt = (config: string, body: string) => `---\nname: a\n${config}:\n  model_name: m\n---\n\n${body}`;
const refusal = (message: string | RegExp) =>
  expect.objectContaining({ message: typeof message === 'string' ? message : expect.stringMatching(message) });

const common = ['<If condition={props.a}>x</If>', '<ElseIf condition={props.b}>x</ElseIf>', '<Else>x</Else>', '<Raw>x</Raw>'];
const messages = ['<System>x</System>', '<User>x</User>', '<Assistant>x</Assistant>'];
const attachments = ['<ImageAttachment image={props.i} />', '<FileAttachment data={props.d} mimeType="text/plain" />'];

describe('a prompt may use the tags of its kind', () => {
  const loop = '<ForEach arr={props.all}>{(item) => (<li>{item}</li>)}</ForEach>';
  it.each([
    ['text_config', [...common, loop, ...messages, ...attachments], ['<ImagePrompt>x</ImagePrompt>', '<SpeechPrompt>x</SpeechPrompt>']],
    ['object_config', [...common, loop, ...messages, ...attachments], ['<ImagePrompt>x</ImagePrompt>', '<SpeechPrompt>x</SpeechPrompt>']],
    ['image_config', [...common, loop, '<ImagePrompt>x</ImagePrompt>'], [...messages, ...attachments, '<SpeechPrompt>x</SpeechPrompt>']],
    [
      'speech_config',
      [...common, loop, '<System>x</System>', '<SpeechPrompt>x</SpeechPrompt>'],
      ['<User>x</User>', '<Assistant>x</Assistant>', ...attachments, '<ImagePrompt>x</ImagePrompt>'],
    ],
    ['test_settings', [...common, loop, ...messages, ...attachments], ['<ImagePrompt>x</ImagePrompt>', '<SpeechPrompt>x</SpeechPrompt>']],
  ])('%s', (config, known, unknown) => {
    for (const body of known) expect(build(prompt(config, body)), body).toMatchObject({ type: 'root' });
    for (const body of unknown) expect(() => build(prompt(config, body)), body).toThrow(refusal(/^Unknown tag </));
  });

  it('the caller may choose the kind', () => {
    expect(build(prompt('text_config', '<ImagePrompt>x</ImagePrompt>'), 'image')).toMatchObject({ type: 'root' });
    expect(() => build(prompt('image_config', '<ImagePrompt>x</ImagePrompt>'), 'text')).toThrow(refusal(/<ImagePrompt> in a text prompt/));
    expect(() => build(prompt('image_config', '<User>x</User>'), 'object')).not.toThrow();
    expect(() => build('<User>x</User>', 'speech')).toThrow(refusal(/<User> in a speech prompt/));
  });

  it('an image configuration wins over speech, and speech over text; a null configuration is ignored', () => {
    const all = prompt('text_config', '<ImagePrompt>x</ImagePrompt>').replace(
      'text_config:',
      'speech_config: {}\nimage_config: {}\ntext_config:',
    );
    expect(() => build(all)).not.toThrow();
    expect(() => build(all.replaceAll('ImagePrompt', 'User'))).toThrow(refusal(/in an image prompt/));
    expect(() => build('---\ntext_config: {}\nspeech_config: {}\n---\n<User>x</User>')).toThrow(refusal(/in a speech prompt/));
    expect(() => build('---\nimage_config:\nnested:\n  speech_config: {}\n---\n<User>x</User>')).not.toThrow();
  });

  it('an imported front matter sets the kind, too', () => {
    const files = { 'a.mdx': "import F from './f.mdx'\n\n<F/>\n\n<ImagePrompt>x</ImagePrompt>", 'f.mdx': prompt('image_config', '') };
    expect(() => build(files)).not.toThrow();
    expect(() => build({ ...files, 'a.mdx': files['a.mdx'].replaceAll('ImagePrompt', 'User') })).toThrow(refusal(/in an image prompt/));
    // Front matter inside a message is text, not the prompt's.
    expect(() => build({ ...files, 'a.mdx': "import F from './f.mdx'\n\n<System>\n<F/>\n</System>" })).not.toThrow();
  });
});

describe('a tag is known', () => {
  it('when it is imported, by this file or by one that this file imports, used or not, empty or not', () => {
    const files = {
      'a.mdx': "import Rules from './rules.mdx'\nimport Spare from './spare.mdx'\n\n<Rules/>\n\n<Part>x</Part>\n\nand <Again/>",
      'rules.mdx': "import Part from './part.mdx'\nimport Again from './again.mdx'\n\nBe kind.",
      'part.mdx': '{props.children}',
      'again.mdx': "import Part from './part.mdx'",
      'spare.mdx': '',
    };
    expect(build(files)).toMatchObject({ type: 'root' });
    expect(() => build({ ...files, 'rules.mdx': 'Be kind.' })).toThrow(refusal(/<Part>/));
  });

  it.each(['div', 'Div', 'TABLE', 'Title', 'Section', 'H1', 'FencedFrame', 'math'])('when it is HTML: <%s>', (name) => {
    expect(() => build(`<${name}>x</${name}>`)).not.toThrow();
  });

  it.each(['rules', 'customer-data', 'user_input', 'xsl:Value', 'a.B', 'été', 'ßa', 'µ'])(
    'when it begins with a lower-case letter: <%s>',
    (name) => {
      expect(() => build(`<${name}>x</${name}>`)).not.toThrow();
    },
  );

  it.each(['Html', 'Human', 'System.Note', 'Div.A', 'Xsl:value', '_note', '$note', 'Éa', '指示', 'ªb', 'ǅa', 'ELSE'])(
    'and not otherwise: <%s>',
    (name) => {
      expect(() => build(`<${name}>x</${name}>`)).toThrow(
        expect.objectContaining({ message: expect.stringContaining(`Unknown tag <${name}>`) }),
      );
    },
  );

  it('when it has no name; then its content is checked', () => {
    expect(() => build('<>\n<User>x</User>\n</>')).not.toThrow();
    expect(() => build('<>\n<Human>x</Human>\n</>')).toThrow(refusal(/<Human>/));
  });
});

describe('tags are checked', () => {
  it.each([
    ['at the top', '<Human>x</Human>', 1, 1],
    ['in a paragraph', 'a\nb <Human>x</Human>', 2, 3],
    ['in a message', '<User>\n- **one <Human/>**\n</User>', 2, 9],
    ['in a lower-case tag', '<rules>\n<Human/>\n</rules>', 2, 1],
    ['after the front matter', '---\nname: a\n---\n\n> <Human/>', 5, 3],
    ['the first of several', 'x\n\n<Human><Robot/></Human>\n\n<Alien/>', 3, 1],
    ['beside Raw', '<Raw>\n<Human/>\n</Raw>\n<Human/>', 4, 1],
    ['between the tags of a component', "import B from './b.mdx'\n\n<B>\n<Human/>\n</B>", 4, 1],
    ['in the content of a component that is not rendered', "import B from './b.mdx'\n\n<B>a <Human/></B>", 3, 6],
  ])('%s', (_where, text, line, column) => {
    expect(() => build({ 'a.mdx': text, 'b.mdx': 'x' })).toThrow(expect.objectContaining({ line, column, file: null }));
  });

  it.each([
    ['in Raw', '<Raw>\n<Human>x</Human>\n\n- <A.B/>\n</Raw>'],
    ['in Raw in a message', '<User><Raw>a <Human/> b</Raw></User>'],
    ['in expressions', '{props.a && <Human/>}\n\n<ForEach arr={props.all}>{(item) => (<Human>{item}</Human>)}</ForEach>'],
    ['in the values of attributes', '<If condition={<Human/>}>x</If>'],
    ['in comments, code and escapes', '{/* <Human/> */}\n\n`<Human/>`\n\n```\n<Human>\n```\n\n\\<Human>'],
  ])('not %s', (_where, text) => {
    expect(build(text)).toMatchObject({ type: 'root' });
  });

  it('not in imported files, which are checked when they are read themselves', () => {
    const files = { 'a.mdx': "import B from './b.mdx'\n\n<B/>", 'b.mdx': '<Human>x</Human>' };
    expect(build(files).children).toMatchObject([{ children: [{ name: 'Human' }] }]);
    expect(() => build(files['b.mdx'])).toThrow(refusal(/<Human>/));
  });

  it('once all files are read: invalid MDX is reported first', () => {
    expect(() => build('<Human/>\n\n<Open>')).toThrow(refusal(/closing tag/));
    expect(() => build({ 'a.mdx': "import B from './b.mdx'\n\n<Human/>", 'b.mdx': '<Open>' })).toThrow(refusal(/closing tag/));
    expect(() => build("import B from './b.mdx'\n\n<Human/>")).toThrow(refusal('Missing: b.mdx'));
  });
});

describe('the error for an unknown tag', () => {
  const words = 'Assistant, Else, ElseIf, FileAttachment, ForEach, If, ImageAttachment, Raw, System, User';
  const others = 'Any other tag must be imported or begin with a lower-case letter';

  it.each([
    [prompt('text_config', '<Human>x</Human>'), `Unknown tag <Human> in a text prompt, did you mean User? Known tags: ${words}. ${others}`],
    [prompt('object_config', '<Chart/>'), `Unknown tag <Chart> in an object prompt. Known tags: ${words}. ${others}`],
    ['<Sytem>x</Sytem>', `Unknown tag <Sytem>, did you mean System? Known tags: ${words}. ${others}`],
    [
      prompt('image_config', '<System>x</System>'),
      `Unknown tag <System> in an image prompt. Known tags: Else, ElseIf, ForEach, If, ImagePrompt, Raw. ${others}`,
    ],
    [
      prompt('speech_config', '<Speech>x</Speech>'),
      `Unknown tag <Speech> in a speech prompt, did you mean SpeechPrompt? Known tags: Else, ElseIf, ForEach, If, Raw, SpeechPrompt, System. ${others}`,
    ],
  ])('%j', (text, message) => {
    expect(() => build(text)).toThrow(refusal(message));
  });

  it('lists imported tags, too', () => {
    const files = { 'a.mdx': "import Tone from './tone.mdx'\nimport User from './user.mdx'\n\n<Tones/>", 'tone.mdx': 'x', 'user.mdx': 'x' };
    expect(() => build(files)).toThrow(
      refusal(`Unknown tag <Tones>, did you mean Tone? Known tags: ${words.replace('System', 'System, Tone')}. ${others}`),
    );
  });

  it('a very long name is cut, and is not compared', () => {
    const [name, imported] = ['Q'.repeat(100_000), `Z${'z'.repeat(100_000)}`];
    const files = { 'a.mdx': `import ${imported} from './b.mdx'\n\n<${name}/>`, 'b.mdx': '' };
    expect(() => build(files)).toThrow(refusal(`Unknown tag <${'Q'.repeat(40)}…>. Known tags: ${words}. ${others}`));
    expect(() => build(files)).toThrow(expect.objectContaining({ line: 3 }));
  });
});
