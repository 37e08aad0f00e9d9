import { Icon } from '@/components/ui/icon';

export type StepsProps = {
  /** The page of its own shows no way to itself. */
  own_page?: boolean;
  onClose?: (() => void) | undefined;
  /** Null where there is none, undefined where entries are not stepped through. */
  onPrevious?: (() => void) | null | undefined;
  onNext?: (() => void) | null | undefined;
};

/** To the entries before and after, to the page of its own, and out. */
export function Steps({ id, own_page, onClose, onPrevious, onNext }: StepsProps & { id: string }) {
  return (
    <span className="right">
      {onPrevious !== undefined && (
        <button
          type="button"
          className="btn btn-quiet btn-icon btn-s"
          aria-label="Previous entry"
          title="Previous entry (k)"
          disabled={!onPrevious}
          onClick={onPrevious ?? undefined}
        >
          <Icon name="chevron-up" />
        </button>
      )}
      {onNext !== undefined && (
        <button
          type="button"
          className="btn btn-quiet btn-icon btn-s"
          aria-label="Next entry"
          title="Next entry (j)"
          disabled={!onNext}
          onClick={onNext ?? undefined}
        >
          <Icon name="chevron-down" />
        </button>
      )}
      {!own_page && (
        <a
          className="btn btn-quiet btn-icon btn-s"
          href={`/dead-letters/${id}`}
          target="_blank"
          rel="noreferrer"
          aria-label="Open as a page of its own"
          title="Open as a page of its own"
        >
          <Icon name="external-link" />
        </a>
      )}
      {onClose && (
        <button
          type="button"
          className="btn btn-quiet btn-icon btn-s"
          aria-label="Close"
          title="Close (Esc)"
          onClick={onClose}
        >
          <Icon name="x" />
        </button>
      )}
    </span>
  );
}
