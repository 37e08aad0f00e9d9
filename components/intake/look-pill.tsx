import { Icon } from '@/components/ui/icon';
import type { Look } from './spool.model';

/** A state in its word, with its icon. */
export function LookPill({ look: { tone, icon, word } }: { look: Look }) {
  return (
    <span className={`pill ${tone}`}>
      {icon && <Icon name={icon} />}
      {word}
    </span>
  );
}
