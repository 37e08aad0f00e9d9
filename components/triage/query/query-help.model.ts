/** The query language by example, for the help beside the bar and the page of documents. */
export const QUERY_HELP: readonly { query: string; means: string }[] = [
  {
    query: 'class:crs_mismatch',
    means:
      'a field and its value: class, task, state, crs, srid, verdict, fault, error, code, sig, run, source, reason, queue',
  },
  { query: 'task:reproject*', means: '* at the end: begins with' },
  { query: '!crs:EPSG:4326', means: '! excludes' },
  { query: 'class:oom,unknown', means: 'any of these; the same as naming the field twice' },
  { query: 'crs:none', means: 'without a value' },
  { query: 'crs:"OH-N ft"', means: 'a value with spaces or commas; "" is one quote within' },
  { query: 'since:7d until:2026-11-24', means: 'when it last failed: m, h, d, w back, or a moment in UTC' },
  { query: 'key:parcels/39*', means: 'the beginning of the work key' },
  { query: 'param.tile.zoom>=3', means: 'a parameter of the payload by its path: = != < <= > >=' },
  { query: 'param.mode=a,b param.nodata=*', means: 'one of several values; a parameter that is given' },
  { query: 'mappable:no reopened:yes', means: 'on the map, came back, sensitive: yes or no' },
  { query: 'place:US-OH', means: 'its footprint touches a country or region' },
  { query: 'polygon:-84,38;-80,38;-80,42', means: 'its footprint touches an area: lon,lat of each corner' },
  { query: 'bbox:-84.8,38.4,-80.5,42', means: 'its place lies in west,south,east,north' },
  { query: 'bounds "lie outside"', means: 'words and phrases of the error text and traceback, all of them' },
];
