/** Stands for the origin of the page that shows a snippet. */
export const ORIGIN = 'http://dlo.invalid';

export const withOrigin = (text: string, origin: string): string => text.replaceAll(ORIGIN, origin);

/** Every example of the page, by name; a browser test runs each against the app. */
export const SNIPPETS = {
  typescript: `import { deadLetterOnFailure } from 'dead-letter-office/capture';
import pRetry from 'p-retry';

const reproject = deadLetterOnFailure({
  url: '${ORIGIN}', task_name: 'reproject_parcels',
  payload: (parcel: Parcel) => ({ work_key: parcel.key, geometry: parcel.wkb, src_crs: parcel.crs, params: parcel.params }),
})((parcel: Parcel) => pRetry(() => reprojectParcel(parcel), { retries: 3 }));`,

  typescript_flush: `import { flush } from 'dead-letter-office/capture';

await flush();`,

  python_get: `curl -O ${ORIGIN}/clients/dead_letter.py`,

  python: `from dead_letter import dead_letter_on_failure

@dead_letter_on_failure(url='${ORIGIN}', task_name='reproject_parcels',
                        payload=lambda parcel: {'work_key': parcel.key, 'geometry': parcel.geom,
                                                'src_crs': parcel.crs, 'params': parcel.params})
@retry(stop=stop_after_attempt(4))
def reproject(parcel):
    ...`,

  http_one: `curl ${ORIGIN}/api/dead-letters -H 'content-type: application/json' -d '{
  "work_key": "parcels/39/035/88213", "task_name": "reproject_parcels",
  "geom_wkt": "POLYGON((0 0, 2 2, 2 0, 0 2, 0 0))", "src_crs": "EPSG:4326",
  "failure_class": "invalid_geometry", "error_type": "TopologyException", "error_text": "side location conflict",
  "code_version": "2.14.0", "params": {"snap": 0.01}}'`,

  http_many: `printf '%s\\n' '{"work_key": "a", "task_name": "clip"}' '{"work_key": "b", "task_nam": "clip"}' |
  curl ${ORIGIN}/api/dead-letters -H 'content-type: application/x-ndjson' --data-binary @-`,

  http_gzip: `gzip -c failures.ndjson |
  curl ${ORIGIN}/api/dead-letters -H 'content-type: application/x-ndjson' \\
    -H 'content-encoding: gzip' --data-binary @-`,

  http_id: `curl ${ORIGIN}/api/dead-letters -H 'content-type: application/json' \\
  -H 'Capture-Id: 7f9c2d1e-3b6a-4c58-9a07-51d2e8f4b6c3' -d '{"work_key": "c", "task_name": "clip"}'`,

  http_token: `curl ${ORIGIN}/api/dead-letters -H "Authorization: Bearer $DLO_TOKEN" \\
  -H 'content-type: application/json' -d '{"work_key": "d", "task_name": "clip"}'`,

  blob: `sha=$(sha256sum county.wkb | cut -d' ' -f1)
curl -T county.wkb ${ORIGIN}/api/blobs/$sha -H 'content-type: application/octet-stream'
curl ${ORIGIN}/api/dead-letters -H 'content-type: application/json' \\
  -d '{"work_key": "counties/39", "task_name": "clip", "payload_ref": "sha256:'$sha'"}'`,

  sql_geotask: `insert into geotask_dlq
  (work_key, task_name, geom, src_crs, tile_z, tile_x, tile_y, params, failure_class, error_text, failed_at)
values ('parcels/39/035/88213', 'reproject_parcels', ST_GeomFromText('POINT(2184474.5 646012.3)', 3734), 'EPSG:3734',
  14, 4469, 6114, '{"snap": 0.01}', 'crs_mismatch', 'coordinates outside the area of use', now())
on conflict (work_key) do update set attempts = geotask_dlq.attempts + 1,
  failed_at = excluded.failed_at, error_text = excluded.error_text;`,

  sql_failed: `insert into failed_geotasks (task_id, geom, epsg, payload, error, error_class, geom_hash)
values ('clip-14-4469-6114', ST_GeomFromText('POINT(-81.69 41.5)', 4326), 4326,
  '{"buffer_m": 20}', 'read timed out', 'transient', 'a41f')
on conflict (task_id, geom_hash) do update set attempts = failed_geotasks.attempts + 1,
  last_seen = now(), error = excluded.error;`,

  sql_role: `npx dlo producer-role night_batch --password-file night_batch.pw --queue production --compat`,

  sql_attach: `npx dlo attach public.my_failures --dry-run
npx dlo attach public.my_failures --task-name clip --map outline=geom --map why=error_text
npx dlo detach public.my_failures`,

  spool: `export DLO_SPOOL_DIR=/var/spool/dead-letter-office    # or s3://bucket/prefix`,

  ingest: `npx dlo ingest failures.ndjson --dry-run
npx dlo ingest failures.ndjson
npx dlo ingest s3://bucket/prefix
zcat old.ndjson.gz | npx dlo ingest -`,

  run_typescript: `import { withRun } from 'dead-letter-office/capture';

await withRun({ url: '${ORIGIN}', task_name: 'clip', run_id: 'clip/2026-11-30', tiles }, async (run) => {
  for (const tile of tiles) {
    await clip(tile);
    run.succeeded(tile);
  }
});`,

  run_python: `from dead_letter import run

with run('clip/2026-11-30', 'clip', tiles=tiles, url='${ORIGIN}') as ledger:
    for tile in tiles:
        clip(tile)
        ledger.succeeded(tile)`,

  run_http: `curl ${ORIGIN}/api/runs -H 'content-type: application/json' \\
  -d '{"run_id": "clip/2026-11-30", "task_name": "clip", "expected": 61440}'
curl ${ORIGIN}/api/runs -H 'content-type: application/json' \\
  -d '{"run_id": "clip/2026-11-30", "task_name": "clip", "succeeded": 61339, "status": "finished"}'`,
} as const;
export type SnippetName = keyof typeof SNIPPETS;
