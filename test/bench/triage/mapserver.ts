import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TileAddress } from '@/db/queries/cells-tile';

/** Debian's `cgi-mapserver`. */
const BINARIES = ['/usr/lib/cgi-bin/mapserv', '/usr/bin/mapserv'];

export interface MapServer {
  /** One MVT tile of every unresolved entry: a CGI process, as a web server would start it. Answers the bytes. */
  tile(address: TileAddress): Promise<number>;
  close(): void;
}

/** MapServer over the same tables, or null where it is not installed. @param url connection string of the database. */
export function openMapServer(url: string): MapServer | null {
  const binary = BINARIES.find((file) => existsSync(file));
  if (!binary) return null;
  const folder = mkdtempSync(path.join(tmpdir(), 'dlo-mapserver-'));
  const map = path.join(folder, 'entries.map');
  const config = path.join(folder, 'mapserver.conf');
  writeFileSync(config, `CONFIG\n  ENV\n    MS_MAP_PATTERN "^${folder}/"\n  END\nEND\n`);
  writeFileSync(map, mapFile(new URL(url)));
  return {
    tile: ({ z, x, y }) =>
      run(binary, {
        MAPSERVER_CONFIG_FILE: config,
        REQUEST_METHOD: 'GET',
        QUERY_STRING: `map=${map}&mode=tile&tilemode=gmap&tile=${x}+${y}+${z}&layers=entries&map.imagetype=mvt`,
      }),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function mapFile({ hostname, port, username, password, pathname }: URL): string {
  const secret = password === '' ? '' : ` password=${decodeURIComponent(password)}`;
  return `MAP
  NAME "entries"
  SIZE 256 256
  EXTENT -20037508.34 -20037508.34 20037508.34 20037508.34
  PROJECTION "init=epsg:3857" END
  WEB METADATA "wms_enable_request" "*" END END
  OUTPUTFORMAT NAME "mvt" DRIVER "MVT" MIMETYPE "application/vnd.mapbox-vector-tile" EXTENSION "mvt" END
  LAYER
    NAME "entries"
    TYPE POINT
    STATUS ON
    CONNECTIONTYPE POSTGIS
    CONNECTION "host=${hostname} port=${port} user=${decodeURIComponent(username)}${secret} dbname=${pathname.slice(1)} options='-c max_parallel_workers_per_gather=0 -c jit=off'"
    DATA "place from (select d.entry_id, ST_Centroid(d.outline) as place, c.failure_class, s.state from dlq.diagnosis d join dlq.state s on s.entry_id = d.entry_id join dlq.combo c on c.id = s.combo where d.outline && !BOX! and s.state <> 'resolved') as t using unique entry_id using srid=3857"
    PROJECTION "init=epsg:3857" END
    METADATA "gml_include_items" "all" END
    CLASS STYLE COLOR 0 0 0 SIZE 1 END END
  END
END
`;
}

function run(binary: string, env: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, [], { env: { ...process.env, ...env } });
    let bytes = 0;
    let head = '';
    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (head.length < 500) head += piece.toString('latin1');
    });
    child.on('error', reject);
    child.on('close', () =>
      head.includes('vector-tile') ? resolve(bytes - (head.indexOf('\r\n\r\n') + 4)) : reject(new Error(head)),
    );
  });
}
