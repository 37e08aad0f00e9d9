'use client';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { Icon, type IconName } from './icon';

type Tone = 'ok' | 'warn' | 'bad';
export type Toast = {
  tone?: Tone;
  text: ReactNode;
  /** One button, e.g. Undo; with `is_undo` the key for it does the same while the message is there. */
  action?: { label: string; run: () => void; is_undo?: true };
  /** How long it stays; it stays longer while the pointer or the focus is in it. */
  ms?: number;
};

const ICONS: Record<Tone, IconName> = { ok: 'check', warn: 'triangle-alert', bad: 'circle-alert' };
const ToastContext = createContext<(toast: Toast) => void>(() => {});

const UndoContext = createContext<() => boolean>(() => false);

/** Undoes what the newest message offers to undo; false where none does. */
export function useUndo(): () => boolean {
  return useContext(UndoContext);
}

/** The function that shows a short message at the bottom, e.g. “Link copied”. */
export function useToast(): (toast: Toast) => void {
  return useContext(ToastContext);
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<(Toast & { id: number })[]>([]);
  const [held, setHeld] = useState(false);
  const show = useCallback((toast: Toast) => {
    setToasts((all) => [...all.slice(-2), { ...toast, id: (all.at(-1)?.id ?? 0) + 1 }]);
  }, []);
  const drop = useCallback((id: number) => setToasts((all) => all.filter((each) => each.id !== id)), []);
  const first = toasts[0];
  useEffect(() => {
    if (!first || held) return;
    const timer = setTimeout(() => drop(first.id), first.ms ?? 4000);
    return () => clearTimeout(timer);
  }, [first, held, drop]);
  const value = useMemo(() => show, [show]);
  const latest = useRef(toasts);
  latest.current = toasts;
  const undo = useCallback(() => {
    const last = latest.current.findLast(({ action }) => action?.is_undo);
    if (!last) return false;
    last.action?.run();
    drop(last.id);
    return true;
  }, [drop]);
  return (
    <ToastContext value={value}>
      <UndoContext value={undo}>{children}</UndoContext>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: pointing at a message only keeps it from leaving */}
      <div
        className="toasts"
        onMouseEnter={() => setHeld(true)}
        onMouseLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        {toasts.map((toast) => (
          <div key={toast.id} className={`toast toast-${toast.tone ?? 'ok'}`} role="status">
            <Icon name={ICONS[toast.tone ?? 'ok']} />
            <span>{toast.text}</span>
            {toast.action && (
              <button
                type="button"
                className="btn btn-s"
                onClick={() => {
                  toast.action?.run();
                  drop(toast.id);
                }}
              >
                {toast.action.label}
                {toast.action.is_undo && <kbd>z</kbd>}
              </button>
            )}
            <button
              type="button"
              className="btn btn-quiet btn-icon btn-s"
              aria-label="Dismiss"
              onClick={() => drop(toast.id)}
            >
              <Icon name="x" />
            </button>
          </div>
        ))}
      </div>
    </ToastContext>
  );
}
