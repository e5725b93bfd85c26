import { agentGuide } from '../reference/agent-guide.ts';
import { addressHelp, addressOf, addressOptions } from './address.ts';
import { type Command, exitCode } from './command.ts';

/** What agents read before they decide to load the rest. */
const front = `---
name: glasshouse
description: Instrument LLM and agent programs, and find out from their traces what a run did, why it failed and what it cost.
---

`;

export const skill: Command = {
  summary: 'print what a coding agent should know, as a skill file',
  help: `glasshouse skill [--url URL]

How to instrument a program and how to read its traces, as a skill that coding agents load when they need it:

  mkdir -p ~/.claude/skills/glasshouse && glasshouse skill > ~/.claude/skills/glasshouse/SKILL.md

The gateway serves the same text at /llms.txt.

${addressHelp}

0: printed.
`,
  options: addressOptions,
  execute: async (values) => {
    process.stdout.write(`${front}${agentGuide(addressOf(values))}`);
    return exitCode.ok;
  },
};
