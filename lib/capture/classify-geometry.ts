import type { ClassifyRule } from './classify-rules';

const rule = (from: string, says: string, when: Partial<ClassifyRule>): ClassifyRule => ({
  failure_class: 'invalid_geometry',
  from,
  says,
  ...when,
});

export const GEOMETRY_TYPES: readonly ClassifyRule[] = [
  rule('GEOS, JTS, JSTS, shapely', 'TopologyException, GEOSException, TopologicalError', {
    type: /(^|\.)(TopologyException|TopologicalError|GEOSException|NonNodedException|AssertionFailedException)$/i,
  }),
  rule('GEOS, JTS, PostGIS, GDAL, wkx', 'WKB or WKT that cannot be read', {
    type: /(^|\.)(ParseException|WKBReadingError|WKTReadingError)$/i,
  }),
  rule('pipelines, by name', 'types that are named for geometry', {
    type: /(geometry|topology|polygon)\w*(error|exception)$/i,
  }),
  rule('shapely', 'ShapelyError and the other types of the module', {
    type: /(^|\.)shapelyerror$|^shapely\..*(error|exception)$/i,
  }),
];

export const GEOMETRY_RULES: readonly ClassifyRule[] = [
  rule('GEOS, JTS, JSTS', 'non-noded intersection, side location conflict, depth mismatch, unassigned hole', {
    message:
      /topology ?exception|non-?noded|side location conflict|depth mismatch at|unable to assign (free )?hole|directed edge visited twice|no outgoing diredge|found null diredge|orientationindex encountered nan/i,
  }),
  rule('GEOS, JTS, PostGIS, GDAL', 'a ring that is not closed or has too few points', {
    message:
      /linear ?ring|closed (linestring|ring)|\brings?\b[^\n]*\b(not|isn't) closed|rings? must be closed|geometry requires more points|(4 or more|fewer than (4|four)) (positions|points)|at least (4|four) coordinates/i,
  }),
  rule('GEOS, JTS, PostGIS', 'self-intersection, ring self-intersection, hole outside the shell, nested shells', {
    message:
      /self-?\s?intersect|ring self|holes? (lies|is|are) (outside|nested)|nested (holes|shells)|interior is disconnected|duplicate rings|too few points in geometry|invalid (input )?geometry|geometry (is|contains?) (not valid|invalid)/i,
  }),
  rule('GEOS, JTS, PostGIS, GDAL, wkx', 'WKB or WKT that cannot be read, by text', {
    message:
      /\b(invalid|unknown|corrupt|bad|unsupported|truncated|cannot parse) (hex )?e?wk[bt]\b|unexpected eof parsing wk[bt]|\bwkb\b[^\n]*(structure|invalid|too (short|small)|does not match)|parse error - invalid geometry|geometrytype \d+ not supported|could not create geometry|expected (geometry type|group (start|end)|coordinates)|ogrerr_(corrupt_data|unsupported_geometry|not_enough_data)|ogr error: (corrupt data|unsupported geometry|not enough data)/i,
  }),
  rule('proj4, JTS, PostGIS', 'a vertex that is not finite', {
    message:
      /coordinates must be finite|nan coordinate|non-?finite|coordinate(s)? (is|are|contains?) (nan|not finite|inf)|invalid coordinate (value )?nan/i,
  }),
  rule('Turf, polygon-clipping, geojson libraries', 'coordinates or rings that cannot be used', {
    message:
      /coordinates must (contain|only contain|be an array)|coord must be|first and last positions? are not equivalent|unable to complete output ring|input geometry is not a valid|tried to create degenerate segment/i,
  }),
  rule('GEOS, JTS, shapely, by text', 'their types, written in the text', {
    message:
      /\b(geosexception|topologicalerror|shapelyerror)\b|\bparseexception\b|wk[bt]readingerror|(geometry|polygon)(error|exception)/i,
  }),
];
