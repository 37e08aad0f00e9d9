import './raster-window.css';
import { shortenMiddle } from '@/components/triage/entry-text.model';
import type { Payload } from '@/lib/contract/entry';
import { coordinateText } from './number-text.model';
import { rasterBox } from './raster-window.model';

/** A task on a raster has no geometry: the sources as text (never fetched) and the window as a small drawing. */
export function RasterWindow({ payload }: { payload: Payload }) {
  const { source_uris, source_window, nodata } = payload;
  const box = rasterBox(source_window);
  const uris = source_uris ?? [];
  const corner = box && `${coordinateText(box.x)}, ${coordinateText(box.y)}`;
  const size = box && `${coordinateText(box.width)} × ${coordinateText(box.height)} ${box.unit}`;
  return (
    <div className="raster">
      <ul>
        {uris.slice(0, 3).map((uri) => (
          <li key={uri} className="mono" title={uri}>
            {shortenMiddle(uri, 40)}
          </li>
        ))}
        {uris.length > 3 && <li className="cap">and {uris.length - 3} more</li>}
      </ul>
      {box ? (
        <svg
          viewBox="0 0 220 104"
          role="img"
          aria-label={`Window of ${size} at ${corner}${nodata === null ? '' : `, nodata ${nodata}`}; the size of the raster was not captured`}
        >
          <path className="raster-all" d="M8 98V8H212" />
          <path className="raster-more" d="M8 98H212V8" />
          <rect className="raster-box" x="62" y="34" width="96" height="40" />
          <path className="raster-lead" d={box.down ? 'M8 8L62 34' : 'M8 98L62 74'} />
          <text className="mono" x="66" y={box.down ? 30 : 87}>
            {corner}
          </text>
          <text x="110" y="58" textAnchor="middle">
            {size}
          </text>
        </svg>
      ) : (
        source_window && <code className="mono">{JSON.stringify(source_window)}</code>
      )}
      <p className="cap">
        {nodata === null ? (
          'no nodata value'
        ) : (
          <>
            nodata <span className="mono">{nodata}</span>
          </>
        )}
        , no geometry
      </p>
    </div>
  );
}
