/** The tags that the asker has already (If-None-Match), as they were given. */
export function knownTags(request: Request): string[] {
  return (request.headers.get('if-none-match') ?? '').split(',').map((tag) => tag.trim());
}
