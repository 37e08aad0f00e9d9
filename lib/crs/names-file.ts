const REASON = 'it names a file by its path; only grids that PROJ has been installed with are used';
/** Between blanks it belongs to a name ("WGS 84 / UTM zone 33N"), between digits to a fraction (+to_meter=1200/3937). */
const PATH_SEPARATOR = /(?<![\d\s])[/\\]|(?<=\d)[/\\](?!\d)|(?<=\s)[/\\](?!\s)/;
/** PROJ has such files of its own; of any other name it would be a file of the writer's. */
const DEFINITION_FILE = /(?:^|\s)\+?init\s*=(?!(?:epsg|esri|ignf):\w+(?:\s|$))/i;
const WKT_FILE_KEYWORD = /PARAMETERFILE|EXTENSION/i;

/**
 * Why a PROJ string or WKT would have the database open a file of the writer's choice, or null. PROJ opens what `+nadgrids`,
 * `+geoidgrids`, `+init`, PARAMETERFILE and EXTENSION name, relative paths too; a pipe or a terminal holds the session past
 * every statement_timeout.
 */
export function whyNamesFile(text: string, is_wkt: boolean): string | null {
  if (is_wkt) return WKT_FILE_KEYWORD.test(text) && PATH_SEPARATOR.test(text) ? REASON : null;
  if (!text.includes('=')) return null;
  if (DEFINITION_FILE.test(text)) return '+init names a file of definitions that is not EPSG, ESRI or IGNF';
  return PATH_SEPARATOR.test(text) ? REASON : null;
}

/** The same of PROJJSON, where a parameter whose value is a text names a file. */
export function whyValueNamesFile(value: unknown): string | null {
  return typeof value === 'string' && PATH_SEPARATOR.test(value) ? REASON : null;
}
