/** Nothing is written to the settings of another program unless its user agrees. */
import { createInterface } from 'node:readline';

/**
 * Asks on a terminal. Without one, only `--yes` agrees. Says what to do when the answer is no.
 * @param isGiven whether `--yes` was
 */
export async function isAgreed(isGiven: boolean): Promise<boolean> {
  if (isGiven) return true;
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    process.stderr.write('glasshouse: nothing was written, because there is no terminal to ask at. --yes agrees to the changes above.\n');
    return false;
  }
  const isYes = /^y(es)?$/i.test((await answerTo('Write these changes? [y/N] ')).trim());
  if (!isYes) process.stderr.write('glasshouse: nothing was written.\n');
  return isYes;
}

/** Ctrl-C and the end of the input are an empty answer. */
function answerTo(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  return new Promise((resolve) => {
    terminal.once('close', () => resolve(''));
    terminal.once('SIGINT', () => {
      process.stdout.write('\n');
      terminal.close();
    });
    terminal.question(question, (answer) => {
      resolve(answer);
      terminal.close();
    });
  });
}
