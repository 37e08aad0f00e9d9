"""Runs the two seed documents' own INSERT statements, unchanged, as a pipeline would: psycopg, shapely geometries.

argv: connection string, statement (geotask_dlq | failed_geotasks). stdin: one JSON object a line, each one failure; params_text
is sent as it stands. Each is committed by itself; one with "after_an_error" runs in a transaction that has failed already.
Prints one line at the end: {"stored": n, "errors": [...]}.
"""

import hashlib
import json
import sys

import psycopg
import shapely.wkb
import shapely.wkt

GEOTASK_DLQ = """
INSERT INTO geotask_dlq
       (work_key, task_name, geom, src_crs, tile_z, tile_x, tile_y,
        params, failure_class, error_text, traceback, failed_at)
VALUES (%(work_key)s, %(task_name)s,
        ST_SetSRID(ST_GeomFromWKB(%(wkb)s), %(srid)s),
        %(src_crs)s, %(z)s, %(x)s, %(y)s,
        %(params)s::jsonb, %(failure_class)s, %(error_text)s, %(traceback)s, now())
ON CONFLICT (work_key) DO UPDATE
   SET attempts   = geotask_dlq.attempts + 1,
       error_text = EXCLUDED.error_text,
       failed_at  = now()
"""

FAILED_GEOTASKS = """
        INSERT INTO failed_geotasks
            (task_id, geom, epsg, payload, error, error_class, geom_hash)
        VALUES
            (%(task_id)s,
             ST_SetSRID(ST_GeomFromWKB(%(wkb)s), %(epsg)s),
             %(epsg)s, %(payload)s, %(error)s, %(error_class)s, %(ghash)s)
        ON CONFLICT (task_id, geom_hash) DO UPDATE
            SET attempts  = failed_geotasks.attempts + 1,
                last_seen = now(),
                error     = EXCLUDED.error;
"""


def wkb_of(work):
    if work.get("wkb_hex") is not None:
        return bytes.fromhex(work["wkb_hex"])
    if work.get("wkt") is None:
        return None
    geom = shapely.wkt.loads(work["wkt"])
    return shapely.wkb.dumps(geom, output_dimension=3 if geom.has_z else 2)


def first(work):
    return {
        "work_key": work["work_key"],
        "task_name": work["task_name"],
        "wkb": wkb_of(work),
        "srid": work.get("srid", 0),
        "src_crs": work.get("src_crs"),
        "z": work.get("z"),
        "x": work.get("x"),
        "y": work.get("y"),
        "params": work.get("params_text") or json.dumps(work.get("params", {}), sort_keys=True),
        "failure_class": work.get("failure_class", "unknown"),
        "error_text": work.get("error_text"),
        "traceback": work.get("traceback"),
    }


def second(work):
    wkb = wkb_of(work)
    epsg = work.get("epsg", 4326)
    return {
        "task_id": work["task_id"],
        "wkb": wkb,
        "epsg": epsg,
        "payload": work.get("params_text") or json.dumps(work.get("payload", {})),
        "error": work.get("error", "failed"),
        "error_class": work.get("error_class", "fatal"),
        "ghash": hashlib.sha256(f"{epsg}:{(wkb or b'').hex()}".encode()).hexdigest(),
    }


def main():
    url, statement = sys.argv[1:3]
    sql, values = (GEOTASK_DLQ, first) if statement == "geotask_dlq" else (FAILED_GEOTASKS, second)
    stored, errors = 0, []
    with psycopg.connect(url, autocommit=True) as conn, conn.cursor() as cur:
        for line in sys.stdin:
            work = json.loads(line)
            try:
                if work.get("after_an_error"):
                    with conn.transaction():
                        try:
                            cur.execute("select 1 / 0")
                        except psycopg.Error:
                            pass
                        cur.execute(sql, values(work))
                else:
                    cur.execute(sql, values(work))
                stored += 1
            except psycopg.Error as error:
                errors.append(str(error))
    print(json.dumps({"stored": stored, "errors": errors}))


main()
