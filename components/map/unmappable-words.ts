/** Why an entry has no footprint, in a sentence; a reason without one is shown by its own word. */
const WORDS: Record<string, string> = {
  no_geometry: 'No geometry was captured with this entry.',
  unreadable: 'The bytes of the geometry cannot be read.',
  empty: 'The geometry is empty: it has no vertex.',
  non_finite: 'The vertices are not finite numbers: they lie at infinity or nowhere.',
  no_crs: 'The entry names no CRS, so the coordinates have no place on the earth.',
  unknown_crs: 'The CRS it names is unknown to the database.',
  not_geographic: 'Its numbers, as they are claimed, are no places on the earth.',
  outside_projection: 'The coordinates lie outside what the projection can turn into longitude and latitude.',
  too_large: 'The geometry is too large to be reprojected here.',
  not_diagnosed: 'It has not been diagnosed yet; the worker will place it.',
};

export function unmappableWords(reason: string | null): string {
  if (reason === null) return 'It has no place on the map.';
  return WORDS[reason] ?? `It has no place on the map: ${reason}.`;
}
