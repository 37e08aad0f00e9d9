import { Icon } from './icon';

/** One condition of the filter: `label value`, dashed when it excludes, red when it could not be read. */
export function Chip({
  label,
  value,
  mono = false,
  excluded = false,
  invalid = null,
  onRemove,
}: {
  label: string;
  value: string;
  mono?: boolean;
  excluded?: boolean;
  /** Why the condition does nothing. */
  invalid?: string | null;
  onRemove: () => void;
}) {
  const name = `${excluded ? 'not ' : ''}${label}`;
  return (
    <span className={`chip${excluded ? ' not' : ''}${invalid ? ' invalid' : ''}`} title={invalid ?? `${name} ${value}`}>
      <span className="k">{name}</span>
      <span className={`v trunc${mono ? ' mono' : ''}`}>{value}</span>
      {invalid && <span className="sr">: {invalid}</span>}
      <button type="button" aria-label={`Remove ${name} ${value}`} onClick={onRemove}>
        <Icon name="x" />
      </button>
    </span>
  );
}
