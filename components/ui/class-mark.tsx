import type { ReactElement } from 'react';
import { CLASS_SYMBOLS, type ClassShape, symbolClass } from './class-symbol';

const SHAPES: Record<ClassShape, ReactElement> = {
  square: <rect x="1.5" y="1.5" width="9" height="9" rx="1" />,
  triangle: <path d="M6 1.2 11 10.4H1z" />,
  circle: <circle cx="6" cy="6" r="4.7" />,
  diamond: <path d="M6 .6 11.4 6 6 11.4.6 6z" />,
  question_mark: (
    <>
      <path
        d="M3.4 4.1a2.65 2.65 0 1 1 3.9 2.35C6.4 6.95 6 7.3 6 8.1"
        fill="none"
        strokeWidth="1.9"
        strokeLinecap="round"
      />
      <circle cx="6" cy="10.6" r="1.15" stroke="none" />
    </>
  ),
  cross: <path d="m2 2 8 8m0-8-8 8" fill="none" strokeWidth="1.9" strokeLinecap="round" />,
};

/**
 * The shape of a failure class, 12 px. Its word stands beside it nearly everywhere, so it is hidden from assistive
 * technology unless `label` asks for it to carry the word itself.
 */
export function ClassMark({ failure_class, label = false }: { failure_class: string; label?: boolean }) {
  const { shape, token } = CLASS_SYMBOLS[symbolClass(failure_class)];
  const className = `mark mark-${token}`;
  if (label)
    return (
      <svg className={className} viewBox="0 0 12 12" role="img" aria-label={failure_class}>
        {SHAPES[shape]}
      </svg>
    );
  return (
    <svg className={className} viewBox="0 0 12 12" aria-hidden="true" focusable="false">
      {SHAPES[shape]}
    </svg>
  );
}
