import type { ApiOperation } from './api-operation';
import { BLOB_OPERATIONS } from './blobs';
import { BULK_OPERATIONS } from './bulk-operations';
import { DEAD_LETTER_OPERATIONS } from './dead-letters';
import { DISPLACEMENT_OPERATIONS } from './displacement';
import { PROCESS_OPERATIONS } from './process';
import { REPAIR_OPERATIONS } from './repairs';
import { RUN_OPERATIONS } from './runs';
import { SEARCH_OPERATIONS } from './search';
import { SIMILAR_OPERATIONS } from './similar';
import { SPOOL_OPERATIONS } from './spool';
import { TASK_OPERATIONS } from './tasks';
import { TOKEN_OPERATIONS } from './tokens';
import { TRIAGE_OPERATIONS } from './triage';
import { VIEW_OPERATIONS } from './views';

/** Every operation there is; a test holds this against the route files. */
export const API_OPERATIONS: readonly ApiOperation[] = [
  ...PROCESS_OPERATIONS,
  ...DEAD_LETTER_OPERATIONS,
  ...REPAIR_OPERATIONS,
  ...BLOB_OPERATIONS,
  ...TRIAGE_OPERATIONS,
  ...SEARCH_OPERATIONS,
  ...DISPLACEMENT_OPERATIONS,
  ...SIMILAR_OPERATIONS,
  ...BULK_OPERATIONS,
  ...RUN_OPERATIONS,
  ...TOKEN_OPERATIONS,
  ...TASK_OPERATIONS,
  ...SPOOL_OPERATIONS,
  ...VIEW_OPERATIONS,
];
