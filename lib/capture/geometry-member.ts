/** The names of the HTTP interface, under which a payload may hold its geometry too. */
export const GEOMETRY_ALIASES = ['geom_wkb', 'geom_wkt', 'geom_geojson', 'geom'] as const;

const isAlias = (name: string) => (GEOMETRY_ALIASES as readonly string[]).includes(name);

/** The member that holds a payload's geometry. */
export function geometryName(members: Record<string, unknown>): string {
  const has = (name: string) => members[name] !== undefined && members[name] !== null;
  return has('geometry') ? 'geometry' : (GEOMETRY_ALIASES.find(has) ?? 'geometry');
}

/** Puts the geometry under its name in a payload's members, which are changed. */
export function nameGeometry(members: Record<string, unknown>): void {
  const name = geometryName(members);
  if (!isAlias(name)) return;
  const given = members[name];
  members.geometry = name === 'geom_wkb' && typeof given === 'string' ? (fromBase64(given) ?? given) : given;
  delete members[name];
}

/** As the HTTP interface takes it besides hex; WKB begins with its byte order, and so base64 of it with A. */
function fromBase64(text: string): Uint8Array | null {
  if (!/^A[A-Za-z0-9+/]{7,}={0,2}$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  return (bytes[0] ?? 2) < 2 ? bytes : null;
}
