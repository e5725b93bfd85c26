/** Stack trace split into the user's own frames and those of libraries, in the formats of V8, Python, Java, .NET and Go. */
export interface StackPart {
  /** Own frames, the message, and lines that are not frames. */
  isOwn: boolean;
  lines: string[];
}

const frame = /^\s*(?:at\s|File "|[\w$./<>-]+@|#\d+\s|from\s)|^\s+\S+\.go:\d+|^\s*\d+:\s/;
const library =
  /node_modules|node:internal|\(internal\/|\bnode:[a-z_/]+|site-packages|dist-packages|[\\/]lib[\\/]python\d|<frozen |importlib|\bjava\.|\bjavax\.|\bsun\.|\bjdk\.|\borg\.springframework|\bkotlin\.|\bSystem\.|\bMicrosoft\.|[\\/]go[\\/]pkg[\\/]mod|[\\/]usr[\\/]local[\\/]go|\.cargo[\\/]registry|rustc[\\/]|<anonymous>|[\\/]\.venv[\\/]|webpack[\\/]bootstrap/;

/** Python writes the code of a frame on the line below it. */
const isBelowFrame = (line: string, before: string | undefined) =>
  before !== undefined && /^\s*File "/.test(before) && /^\s{4,}\S/.test(line);

export function foldStack(stack: string): StackPart[] {
  const parts: StackPart[] = [];
  const lines = stack.split('\n');
  let isOwn = true;
  lines.forEach((line, at) => {
    if (!isBelowFrame(line, lines[at - 1])) isOwn = !(frame.test(line) && library.test(line));
    const last = parts.at(-1);
    if (last && last.isOwn === isOwn) last.lines.push(line);
    else parts.push({ isOwn, lines: [line] });
  });
  return parts;
}
