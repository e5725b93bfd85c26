import { addressHelp, addressOf, addressOptions } from './address.ts';
import { type Command, exitCode } from './command.ts';
import { requireGateway } from './local-gateway.ts';

export const mcp: Command = {
  summary: 'let a coding agent read traces, over stdio',
  help: `glasshouse mcp [--writes] [--url URL]

The tools of the gateway's /mcp for clients of the Model Context Protocol that launch a local server instead of
connecting over HTTP. Runs until stdin is closed. Tools only read, unless --writes is given.

A gateway for teams wants a key of an app, in GLASSHOUSE_API_KEY: other users of this machine can see options, but not
the environment.

  --writes       also offer the tool that adds scores, comments, tags and dataset rows
${addressHelp}

0: stdin was closed. 3: no gateway answers.
`,
  options: { ...addressOptions, writes: { type: 'boolean' } },
  execute: async (values) => {
    const key = process.env['GLASSHOUSE_API_KEY'];
    if (key) {
      const { relayStdio } = await import('./mcp-relay.ts');
      await relayStdio(new URL(`${addressOf(values)}/mcp${values['writes'] === true ? '?writes=on' : ''}`), key);
      return exitCode.ok;
    }
    const { client, url } = await requireGateway(values);
    // Other commands start faster without the protocol.
    const [{ serveStdio }, { createMcpServer }] = await Promise.all([
      import('@modelcontextprotocol/server/stdio'),
      import('../mcp/mcp-server.ts'),
    ]);
    const context = () => ({ client, viewerUrl: url, now: Date.now() });
    const closed = new Promise((resolve) => process.stdin.once('close', resolve));
    const served = serveStdio(() => createMcpServer({ withWrites: values['writes'] === true, context, hide: null }));
    await closed;
    await served.close();
    return exitCode.ok;
  },
};
