/** The known name closest to a misspelt one, or null where none is near enough to be meant. */
export function nearestName(given: string, known: readonly string[]): string | null {
  const word = given.toLowerCase().replace(/[^a-z0-9]/g, '');
  let best: string | null = null;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(word.slice(0, 60), name.replaceAll('_', ''));
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
