/**
 * The path with the values of its parameters replaced by their names (`/api/tiles/{z}/{x}/{y}`): a log holds no
 * coordinates, keys or query values.
 */
export function routeName(request: Request, params: Record<string, string | string[] | undefined>): string {
  const segments = new URL(request.url).pathname.split('/');
  const values = Object.entries(params).flatMap(([name, value]) => [value ?? []].flat().map((one) => ({ name, one })));
  let from = segments.length;
  // From the end, since a value can equal a fixed segment before it.
  for (const { name, one } of values.reverse()) {
    const at = segments.slice(0, from).findLastIndex((segment) => segment === one || decoded(segment) === one);
    if (at < 0) continue;
    segments[at] = `{${name}}`;
    from = at;
  }
  return segments.join('/');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
