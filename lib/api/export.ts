import type { ExportFormat } from '../contract/export';
import { type Filter, filterToSearch } from '../contract/filter';

/** Where the entries that match can be taken from as a file of that format. */
export function exportPath(format: ExportFormat, filter: Filter): string {
  const search = filterToSearch(filter).toString();
  return `/api/export/${format}${search === '' ? '' : `?${search}`}`;
}
