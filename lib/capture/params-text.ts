import { jsonText } from './params-json';

/**
 * The params as JSON, with the names of what could not be written as it was: `$replaced` (JSON Pointer → what it was)
 * and `$unfit` (members of the payload that no field holds). Params that are no object, or use these names themselves,
 * are kept whole under `$value`.
 */
export function paramsText(
  params: unknown,
  geometryReplaced: Record<string, string> | undefined,
  unfit: Record<string, unknown>,
): string | undefined {
  const own = params === undefined ? undefined : jsonText(params);
  const reserved = own !== undefined && /"\$(replaced|unfit)":/.test(own.text);
  const notes: string[] = [];
  const replaced = { ...own?.replaced };
  for (const [path, was] of Object.entries(geometryReplaced ?? {})) replaced[`geom_geojson:${path}`] = was;
  if (Object.keys(replaced).length > 0) notes.push(`"$replaced":${JSON.stringify(replaced)}`);
  if (Object.keys(unfit).length > 0) notes.push(`"$unfit":${jsonText(unfit).text}`);
  if (notes.length === 0) return own?.text;
  const body = own?.text ?? '{}';
  if (!body.startsWith('{') || reserved) return `{"$value":${body},${notes.join(',')}}`;
  return body === '{}' ? `{${notes.join(',')}}` : `${body.slice(0, -1)},${notes.join(',')}}`;
}
