import { Icon } from './icon';

/** One condition of the filter: `label value`, dashed when it excludes, red when it could not be read. */
export function Chip({
  label,
  value,
  mono = false,
  excluded = false,
  invalid = null,
  onEdit,
  onRemove,
}: {
  label: string;
  value: string;
  mono?: boolean;
  excluded?: boolean;
  /** Why the condition does nothing. */
  invalid?: string | null;
  /** Makes its words a button that changes them. */
  onEdit?: () => void;
  onRemove: () => void;
}) {
  const name = `${excluded ? 'not ' : ''}${label}`;
  const words = (
    <>
      <span className="k">{name}</span>
      <span className={`v trunc${mono ? ' mono' : ''}`}>{value}</span>
    </>
  );
  return (
    <span className={`chip${excluded ? ' not' : ''}${invalid ? ' invalid' : ''}`} title={invalid ?? `${name} ${value}`}>
      {onEdit ? (
        <button type="button" className="chip-edit" aria-label={`Edit ${name} ${value}`} onClick={onEdit}>
          {words}
        </button>
      ) : (
        words
      )}
      {invalid && <span className="sr">: {invalid}</span>}
      <button type="button" aria-label={`Remove ${name} ${value}`} onClick={onRemove}>
        <Icon name="x" />
      </button>
    </span>
  );
}
