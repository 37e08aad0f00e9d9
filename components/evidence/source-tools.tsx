import { Icon } from '@/components/ui/icon';

/** Buttons at the pane's corner; zooming is shown to who points or tabs into the pane. */
export function SourceTools({
  outliers,
  moved,
  onZoom,
  onCluster,
  onFit,
}: {
  /** Vertices outside the main cluster; null where there is none to fit. */
  outliers: number | null;
  moved: boolean;
  onZoom: (factor: number) => void;
  onCluster: () => void;
  onFit: () => void;
}) {
  return (
    <div className="src-tools">
      <button
        type="button"
        className="btn btn-s btn-icon quiet"
        aria-label="Zoom in"
        title="Zoom in (+)"
        onClick={() => onZoom(2)}
      >
        <Icon name="plus" />
      </button>
      <button
        type="button"
        className="btn btn-s btn-icon quiet"
        aria-label="Zoom out"
        title="Zoom out (-)"
        onClick={() => onZoom(0.5)}
      >
        <Icon name="minus" />
      </button>
      {outliers !== null && (
        <button type="button" className="btn btn-s" onClick={onCluster} title={`${outliers} vertices lie outside`}>
          Fit main cluster
        </button>
      )}
      {moved && (
        <button type="button" className="btn btn-s" title="Fit (0)" onClick={onFit}>
          Fit
        </button>
      )}
    </div>
  );
}
