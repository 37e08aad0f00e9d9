import type { ClassifyRule } from './classify-rules';

const rule = (from: string, says: string, when: Partial<ClassifyRule>): ClassifyRule => ({
  failure_class: 'crs_mismatch',
  from,
  says,
  ...when,
});

export const CRS_TYPES: readonly ClassifyRule[] = [
  rule('pyproj, pipelines by name', 'CRSError, ProjError, ProjectionError', {
    type: /(crs\w*|proj(ection|4)?)(error|exception)$|spatialreference\w*$/i,
  }),
];

export const CRS_RULES: readonly ClassifyRule[] = [
  rule('proj4', 'a code or definition that it does not know', {
    message: /could not parse to valid json|could not get projection name/i,
  }),
  rule('proj4, PROJ, GDAL', 'unknown projection, CRS not found', {
    message:
      /\b(unknown|unrecogni[sz]ed|unsupported|invalid) (projection|crs|srs|srid|epsg( code)?|coordinate (reference )?system|spatial ref\w*)(?=[^\w]|$)(?! (column|field|parameter|argument|attribute|key|option)\b)|\b(crs|srid|spatial_ref_sys)[): ]+([^\s"'/]+ )?(is )?(not found|unknown|no such)|cannot find (proj|srid)|no translation for [^\n]* to proj|cannot transform naive geometries|\bcrs mismatch|no database context|\bcrss? do(es)? not match|axis order/i,
  }),
  rule('wkt-parser', 'a WKT definition that cannot be read', { message: /haven?'t handled [^\n]* in afterquote/i }),
  rule('PROJ', 'proj_create and its context errors', {
    message: /\bproj(_\w+)?: |proj_create|proj_trans|\bproj error\b|no arguments in initiali[sz]ation list/i,
  }),
  rule('PROJ, GDAL', 'outside of the projection, latitude or longitude exceeded, tolerance condition', {
    message:
      /latitude or longitude exceeded|outside (of )?(the )?projection domain|tolerance condition error|(failed|unable|cannot) to (re)?(project|transform)|failed to reproject|unable to compute (a transformation|output bounds)|(cannot|failed to) find coordinate operation|cannot transform coordinates|points [^\n]*failed to transform|no operation found matching/i,
  }),
  rule('PostGIS', 'transform: invalid coordinate, mixed SRID, SRID 0', {
    message: /transform: [^\n]*\(\d{4}\)|mixed srid|geometry has unknown [^\n]*srid|\bsrid \d+ (not found|is not)/i,
  }),
  rule('GDAL', 'a source without a spatial reference', {
    message:
      /\b(no|missing|without|lacks?) (a |any )?(spatial ref\w*|srs|crs|coordinate system|projection)(?=[^\w]|$)(?! (column|field|parameter|argument|attribute|key|option)\b)/i,
  }),
  rule('pyproj, by text', 'CRSError, ProjError, written in the text', {
    message: /crs[a-z]*(error|exception)\b|proj(ection|4)?(error|exception)/i,
  }),
  rule('any, by text', 'a latitude or longitude out of its range', {
    message: /\b(latitude|longitude)\b[^\n]*out of (range|bounds)|out of (range|bounds)[^\n]*\b(latitude|longitude)\b/i,
  }),
];
