'use client';
import { Popover as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

/** A panel that floats beside its button. `trigger` is the button; the panel closes with Escape or a click outside. */
export function Popover({
  trigger,
  label,
  align = 'start',
  open,
  onOpenChange,
  children,
}: {
  trigger: ReactElement;
  label: string;
  align?: 'start' | 'center' | 'end';
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}) {
  return (
    <Radix.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="popover" aria-label={label} align={align} sideOffset={6} collisionPadding={8}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Closes the popover it stands in. */
export const PopoverClose = Radix.Close;
