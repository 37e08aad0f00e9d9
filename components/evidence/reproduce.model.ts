import { pythonLiteral, sqlLiteral } from './literal-text.model';

/** What a snippet needs to do the failing step again elsewhere. */
export type Reproduction = {
  /** Digits. */
  id: string;
  /** Hex of the bytes as stored where they are few enough to stand in the text, else null: then they are downloaded. */
  hex: string | null;
  /** Origin of this app, as a browser writes one. */
  origin: string;
  src_crs: string | null;
  /** The registry's id of the claim, where it is known: psql understands fewer spellings than pyproj. */
  claim_id: string | null;
  target_crs: string | null;
};

/** Hex that still stands in a snippet; longer geometries are downloaded by it. */
export const MOST_INLINE_HEX = 4096;

const OUTPUT = 'EPSG:4326';
const addressOf = ({ origin, id }: Reproduction) =>
  `${new URL(origin).origin}/api/dead-letters/${encodeURIComponent(id)}/geometry?format=wkb`;
/** Only digits reach a comment: a line break in one would end it. */
const numberOf = ({ id }: Reproduction) => id.replace(/\D/g, '');

/**
 * For psql: what PostGIS makes of the bytes and the claim. The statements read only and go on after an error. The texts
 * are literals once, then psql's own quoted variables.
 */
export function psqlSnippet(given: Reproduction): string {
  const { hex, src_crs, claim_id, target_crs } = given;
  const wkb =
    hex === null
      ? `\\set wkb \`curl -fsS \${DLO_TOKEN:+-H "Authorization: Bearer $DLO_TOKEN"} "${addressOf(given)}" | od -An -v -tx1 | tr -d ' \\n'\``
      : `\\set wkb ${hex.replace(/[^0-9a-f]/gi, '')}`;
  const claim = claim_id ?? src_crs;
  const texts = [
    claim === null ? null : `${sqlLiteral(claim)} as src_crs`,
    `${sqlLiteral(target_crs ?? OUTPUT)} as target_crs`,
  ];
  const reprojected =
    claim === null
      ? // from the SRID of the bytes: given a text as its target, PostGIS answers null where there is none, and says nothing
        `ST_Transform(:'wkb'::geometry, ${/^EPSG:(\d{1,6})$/i.exec(target_crs ?? OUTPUT)?.[1] ?? '4326'})`
      : `ST_Transform(:'wkb'::geometry, :'src_crs', :'target_crs')`;
  return `-- Dead letter ${numberOf(given)}: what PostGIS makes of the geometry as stored and of its claim. Reads only; for psql.
${wkb}
select ${texts.filter(Boolean).join(', ')} \\gset
select ST_GeometryType(:'wkb'::geometry) as type, ST_SRID(:'wkb'::geometry) as srid, ST_NPoints(:'wkb'::geometry) as vertices;
select valid, reason, ST_AsText(location) as location from ST_IsValidDetail(:'wkb'::geometry);
select left(ST_AsText(${reprojected}), 500) as reprojected;
`;
}

/** For Python with shapely and pyproj: each step prints what it gives or how it fails. */
export function pythonSnippet(given: Reproduction): string {
  const { hex, src_crs, target_crs } = given;
  const bytes =
    hex === null
      ? `request = urllib.request.Request(${pythonLiteral(addressOf(given))})
if os.environ.get("DLO_TOKEN"):
    request.add_header("Authorization", "Bearer " + os.environ["DLO_TOKEN"])
wkb = urllib.request.urlopen(request).read()`
      : `wkb = bytes.fromhex("${hex.replace(/[^0-9a-f]/gi, '')}")`;
  return `# Dead letter ${numberOf(given)}: what shapely and pyproj make of the geometry as stored and of its claim. Reads only.
${hex === null ? 'import os\nimport urllib.request\n\n' : ''}import shapely.wkb
from pyproj import CRS, Transformer
from shapely.ops import transform
from shapely.validation import explain_validity

${bytes}
src_crs = ${pythonLiteral(src_crs)}
target_crs = ${pythonLiteral(target_crs ?? OUTPUT)}


def reproject():
    to_target = Transformer.from_crs(src_crs, target_crs, always_xy=True)
    return transform(lambda *xyz: to_target.transform(*xyz, errcheck=True), shapely.wkb.loads(wkb))


def step(name, run):
    try:
        print(f"{name}: {str(run())[:500]}")
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {error}")


step("geometry", lambda: shapely.wkb.loads(wkb))
step("validity", lambda: explain_validity(shapely.wkb.loads(wkb)))
step("claim", lambda: CRS.from_user_input(src_crs).name)
step("reprojected", reproject)
`;
}
