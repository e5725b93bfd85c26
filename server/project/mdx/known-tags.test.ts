/** Which tags a template may use, by the kind of its prompt. */
import { describe, expect, it } from 'vitest';
import { buildTemplate } from './build-template.ts';
import type { PromptKind } from './front-matter.ts';
import { parseFile } from './parse-file.ts';
import type { TreeNode } from './syntax-tree.ts';

type Files = Record<string, string>;

function build(given: Files | string, kind: PromptKind | null = null): TreeNode {
  const files = typeof given === 'string' ? { 'a.mdx': given } : given;
  const path = Object.keys(files)[0] as string;
  const built = buildTemplate(
    { path, text: files[path] as string, files: new Map(Object.entries(files)), commit_sha: null, kind },
    parseFile,
  );
  if (!('type' in built)) throw new Error(`Missing: ${built.join()}`);
  return built;
}

const having = (config: string, body: string) => `---\nname: a\n${config}:\n  model_name: m\n---\n\n${body}`;
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
    for (const body of known) expect(build(having(config, body)), body).toMatchObject({ type: 'root' });
    for (const body of unknown) expect(() => build(having(config, body)), body).toThrow(refusal(/^Unknown tag </));
  });

  it('which whoever asks may name', () => {
    expect(build(having('text_config', '<ImagePrompt>x</ImagePrompt>'), 'image')).toMatchObject({ type: 'root' });
    expect(() => build(having('image_config', '<ImagePrompt>x</ImagePrompt>'), 'text')).toThrow(refusal(/<ImagePrompt> in a text prompt/));
    expect(() => build(having('image_config', '<User>x</User>'), 'object')).not.toThrow();
    expect(() => build('<User>x</User>', 'speech')).toThrow(refusal(/<User> in a speech prompt/));
  });

  it('an image comes before a voice, and a voice before words; a configuration that is empty is none', () => {
    const all = having('text_config', '<ImagePrompt>x</ImagePrompt>').replace(
      'text_config:',
      'speech_config: {}\nimage_config: {}\ntext_config:',
    );
    expect(() => build(all)).not.toThrow();
    expect(() => build(all.replaceAll('ImagePrompt', 'User'))).toThrow(refusal(/in an image prompt/));
    expect(() => build('---\ntext_config: {}\nspeech_config: {}\n---\n<User>x</User>')).toThrow(refusal(/in a speech prompt/));
    expect(() => build('---\nimage_config:\nnested:\n  speech_config: {}\n---\n<User>x</User>')).not.toThrow();
  });

  it('by the front matter that it imports, too', () => {
    const files = { 'a.mdx': "import F from './f.mdx'\n\n<F/>\n\n<ImagePrompt>x</ImagePrompt>", 'f.mdx': having('image_config', '') };
    expect(() => build(files)).not.toThrow();
    expect(() => build({ ...files, 'a.mdx': files['a.mdx'].replaceAll('ImagePrompt', 'User') })).toThrow(refusal(/in an image prompt/));
    // One inside of a message is text, not the prompt's.
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
    'when it begins with a small letter: <%s>',
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

  it('when it has no name: what it holds is looked at', () => {
    expect(() => build('<>\n<User>x</User>\n</>')).not.toThrow();
    expect(() => build('<>\n<Human>x</Human>\n</>')).toThrow(refusal(/<Human>/));
  });
});

describe('where tags are looked for', () => {
  it.each([
    ['at the top', '<Human>x</Human>', 1, 1],
    ['in a paragraph', 'a\nb <Human>x</Human>', 2, 3],
    ['in a message', '<User>\n- **one <Human/>**\n</User>', 2, 9],
    ['in a tag in small letters', '<rules>\n<Human/>\n</rules>', 2, 1],
    ['after the front matter', '---\nname: a\n---\n\n> <Human/>', 5, 3],
    ['the first of several', 'x\n\n<Human><Robot/></Human>\n\n<Alien/>', 3, 1],
    ['beside Raw', '<Raw>\n<Human/>\n</Raw>\n<Human/>', 4, 1],
    ['in what stands between the tags of a component', "import B from './b.mdx'\n\n<B>\n<Human/>\n</B>", 4, 1],
    ['in what a component holds and does not show', "import B from './b.mdx'\n\n<B>a <Human/></B>", 3, 6],
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

  it('not in files that are imported, which say so when they are asked for themselves', () => {
    const files = { 'a.mdx': "import B from './b.mdx'\n\n<B/>", 'b.mdx': '<Human>x</Human>' };
    expect(build(files).children).toMatchObject([{ children: [{ name: 'Human' }] }]);
    expect(() => build(files['b.mdx'])).toThrow(refusal(/<Human>/));
  });

  it('once all files are read: what is no MDX is told first', () => {
    expect(() => build('<Human/>\n\n<Open>')).toThrow(refusal(/closing tag/));
    expect(() => build({ 'a.mdx': "import B from './b.mdx'\n\n<Human/>", 'b.mdx': '<Open>' })).toThrow(refusal(/closing tag/));
    expect(() => build("import B from './b.mdx'\n\n<Human/>")).toThrow(refusal('Missing: b.mdx'));
  });
});

describe('what is said of an unknown tag', () => {
  const words = 'Assistant, Else, ElseIf, FileAttachment, ForEach, If, ImageAttachment, Raw, System, User';
  const others = 'Any other tag must be imported or begin with a lower-case letter';

  it.each([
    [having('text_config', '<Human>x</Human>'), `Unknown tag <Human> in a text prompt, did you mean User? Known tags: ${words}. ${others}`],
    [having('object_config', '<Chart/>'), `Unknown tag <Chart> in an object prompt. Known tags: ${words}. ${others}`],
    ['<Sytem>x</Sytem>', `Unknown tag <Sytem>, did you mean System? Known tags: ${words}. ${others}`],
    [
      having('image_config', '<System>x</System>'),
      `Unknown tag <System> in an image prompt. Known tags: Else, ElseIf, ForEach, If, ImagePrompt, Raw. ${others}`,
    ],
    [
      having('speech_config', '<Speech>x</Speech>'),
      `Unknown tag <Speech> in a speech prompt, did you mean SpeechPrompt? Known tags: Else, ElseIf, ForEach, If, Raw, SpeechPrompt, System. ${others}`,
    ],
  ])('%j', (text, message) => {
    expect(() => build(text)).toThrow(refusal(message));
  });

  it('what is imported is known, too', () => {
    const files = { 'a.mdx': "import Tone from './tone.mdx'\nimport User from './user.mdx'\n\n<Tones/>", 'tone.mdx': 'x', 'user.mdx': 'x' };
    expect(() => build(files)).toThrow(
      refusal(`Unknown tag <Tones>, did you mean Tone? Known tags: ${words.replace('System', 'System, Tone')}. ${others}`),
    );
  });

  it('a name without end is cut, and so is the time to compare it', () => {
    const [name, imported] = ['Q'.repeat(100_000), `Z${'z'.repeat(100_000)}`];
    const files = { 'a.mdx': `import ${imported} from './b.mdx'\n\n<${name}/>`, 'b.mdx': '' };
    expect(() => build(files)).toThrow(refusal(`Unknown tag <${'Q'.repeat(40)}…>. Known tags: ${words}. ${others}`));
    expect(() => build(files)).toThrow(expect.objectContaining({ line: 3 }));
  });
});
