import { runReportSchema } from '@/lib/contract/run';
import { route } from '@/lib/http/route';
import { readRunsInput } from '@/lib/http/runs-input';
import { listRuns } from '@/lib/runs/list-runs';
import { reportRun } from '@/lib/runs/report-run';

/** A million tiles at zoom 29 as z/x/y. */
const MAX_REPORT_BYTES = 32_000_000;

export const GET = route({ role: 'viewer', search: readRunsInput }, ({ ctx, search }) => listRuns(ctx, search));

export const POST = route(
  {
    role: 'operator',
    intake: true,
    body: 'json',
    schema: runReportSchema,
    max_body_bytes: MAX_REPORT_BYTES,
    when_too_large: 'report the tiles in several pieces: they add up',
  },
  ({ ctx, body }) => reportRun(ctx, body),
);
