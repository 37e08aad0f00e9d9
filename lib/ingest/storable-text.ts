const NUL = /\0/g;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Text as PostgreSQL can hold it: NUL becomes U+2400 (its picture), half of a surrogate pair U+FFFD. */
export function storableText(text: string): string {
  return text.replace(NUL, '␀').replace(LONE_SURROGATE, '�');
}

/** Head and tail of a text over `max` characters, saying between them how much was left out. */
export function headAndTail(text: string, max: number): string {
  if (text.length <= max || isHeadAndTail(text, max)) return text;
  const head = text.slice(0, Math.floor(max / 4));
  const tail = text.slice(text.length - (max - head.length));
  return `${head}\n… ${text.length - max} characters left out …\n${tail}`;
}

/** One that was shortened before, as in an export that comes back, stays as it is. */
function isHeadAndTail(text: string, max: number): boolean {
  const note = /\n… \d+ characters left out …\n/y;
  note.lastIndex = Math.floor(max / 4);
  const found = note.exec(text);
  return found !== null && text.length === max + found[0].length;
}
