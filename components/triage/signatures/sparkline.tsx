import { sparkPath, type Trend, trendText } from './signature.model';

const WIDTH = 72;
const HEIGHT = 14;

/** How often over time; each line reaches to its own peak, so that shapes compare and numbers do not. */
export function Sparkline({ trend }: { trend: Trend }) {
  const text = trendText(trend);
  return (
    <svg
      className={`spark spark-${trend.word}`}
      width={WIDTH + 4}
      height={HEIGHT + 4}
      viewBox={`-2 -2 ${WIDTH + 4} ${HEIGHT + 4}`}
      role="img"
      aria-label={text}
    >
      <title>{text}</title>
      <path className="spark-base" d={`M0 ${HEIGHT}H${WIDTH}`} />
      <path className="spark-line" d={sparkPath(trend.counts, WIDTH, HEIGHT)} />
    </svg>
  );
}
