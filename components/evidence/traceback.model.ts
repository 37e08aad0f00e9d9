/** A piece of a traceback. Frames of the project are what a person looks for; a library's are folded. */
export type TraceBlock =
  | { kind: 'frame'; lines: string[]; library: boolean }
  | { kind: 'error' | 'cause' | 'text'; lines: string[] };

const PYTHON_FRAME = /^\s*File "(.+?)", line \d+/;
const JS_FRAME = /^\s*at .*?\(?((?:file:\/\/|node:|\/|[A-Za-z]:\\|webpack|https?:\/\/)[^()]*?):\d+:\d+\)?\s*$/;
const JVM_FRAME = /^\s*at ([\w.$<>/]+)\([^()]*\)\s*$/;
const CAUSE =
  /^\s*(Caused by:|\[cause\]:|The above exception was the direct cause|During handling of the above exception)/;
const HEAD = /^\s*(Traceback \(most recent call last\)|Exception in thread )/;
const ERROR = /^\s*(?:Uncaught )?[A-Za-z_][\w.$]*(?:Error|Exception|Warning|Interrupt|Exit|Fault|Timeout)\b[^\n]*$/;
const LIBRARY =
  /site-packages|dist-packages|node_modules|^node:|internal\/|\/lib\/python\d|\/usr\/lib\/|<frozen |<string>|\.pyx$|^(?:java|javax|jdk|sun|com\.sun|kotlin|scala|org\.(?:springframework|apache|junit|hibernate))\./;

/** Whether a file or qualified name belongs to a library or a runtime. */
export const isLibrary = (place: string) => LIBRARY.test(place);

function placeOf(line: string): string | null {
  return PYTHON_FRAME.exec(line)?.[1] ?? JS_FRAME.exec(line)?.[1] ?? JVM_FRAME.exec(line)?.[1] ?? null;
}

const indent = (line: string) => line.length - line.trimStart().length;

/** Cuts a Python, JavaScript or JVM traceback into frames, errors and causes; what is none of these stays text. */
export function readTraceback(text: string): TraceBlock[] {
  const blocks: TraceBlock[] = [];
  for (const line of text.split(/\r?\n/)) {
    const before = blocks.at(-1);
    const place = placeOf(line);
    if (place !== null) blocks.push({ kind: 'frame', lines: [line], library: isLibrary(place) });
    // the source line, and Python's marks under it, stand further in than their frame
    else if (before?.kind === 'frame' && line.trim() !== '' && indent(line) > indent(before.lines[0] as string))
      before.lines.push(line);
    else if (CAUSE.test(line)) blocks.push({ kind: 'cause', lines: [line] });
    else if (HEAD.test(line)) blocks.push({ kind: 'text', lines: [line] });
    else if (ERROR.test(line)) blocks.push({ kind: 'error', lines: [line] });
    else if (before && before.kind !== 'frame' && before.kind !== 'cause') before.lines.push(line);
    else blocks.push({ kind: 'text', lines: [line] });
  }
  return blocks;
}

/** The blocks with neighbouring library frames brought together, to be folded as one. */
export function foldLibraries(
  blocks: readonly TraceBlock[],
): (TraceBlock | { kind: 'folded'; frames: number; lines: string[] })[] {
  const out: (TraceBlock | { kind: 'folded'; frames: number; lines: string[] })[] = [];
  for (const block of blocks) {
    const before = out.at(-1);
    if (block.kind !== 'frame' || !block.library) out.push(block);
    else if (before?.kind === 'folded') {
      before.frames++;
      before.lines.push(...block.lines);
    } else out.push({ kind: 'folded', frames: 1, lines: [...block.lines] });
  }
  return out;
}
