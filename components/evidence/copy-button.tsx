'use client';
import { Icon } from '@/components/ui/icon';
import { useToast } from '@/components/ui/toast';

/** Copies a text and says so. Without children it is an icon. */
export function CopyButton({
  text,
  what,
  words = false,
  onCopied,
}: {
  text: string;
  what: string;
  words?: boolean;
  onCopied?: () => void;
}) {
  const toast = useToast();
  const copy = () => {
    // a page that is not served over TLS or from this host has no clipboard
    const done = navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error('no clipboard'));
    done.then(
      () => {
        toast({ text: `${what} copied` });
        onCopied?.();
      },
      () => toast({ tone: 'warn', text: 'The browser did not allow copying' }),
    );
  };
  if (words)
    return (
      <button type="button" className="btn btn-s" onClick={copy}>
        <Icon name="copy" small />
        Copy
      </button>
    );
  return (
    <button
      type="button"
      className="btn btn-quiet btn-icon btn-s"
      aria-label={`Copy ${what.toLowerCase()}`}
      title={`Copy ${what.toLowerCase()}`}
      onClick={copy}
    >
      <Icon name="copy" />
    </button>
  );
}
