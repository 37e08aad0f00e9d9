'use client';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { Icon } from './icon';

/** A modal dialog: traps the focus, closes with Escape, and gives the focus back. `width` in px. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  width = 560,
  children,
  footer,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  /** One sentence under the title, read out with it. */
  description?: ReactNode;
  width?: number;
  children: ReactNode;
  footer?: ReactNode;
}) {
  const opener = useRef<Element | null>(null);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          className="dialog"
          style={{ width }}
          {...(description ? {} : { 'aria-describedby': undefined })}
          onOpenAutoFocus={({ currentTarget }) => {
            if (!(currentTarget instanceof Node && currentTarget.contains(document.activeElement)))
              opener.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            // Radix gives the focus to its own trigger, and these dialogs are opened without one
            event.preventDefault();
            if (opener.current instanceof HTMLElement) opener.current.focus();
          }}
        >
          <header className="dialog-h">
            <Radix.Title>{title}</Radix.Title>
            <Radix.Close className="btn btn-quiet btn-icon btn-s" aria-label="Close">
              <Icon name="x" />
            </Radix.Close>
          </header>
          {description && <Radix.Description className="dialog-d dim">{description}</Radix.Description>}
          <div className="dialog-b">{children}</div>
          {footer && <footer className="dialog-f">{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
