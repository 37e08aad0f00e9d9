'use client';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { DisplayProvider } from '@/components/ui/display';
import { ToastProvider } from '@/components/ui/toast';
import { getQueryClient } from './get-query-client';

export function Providers({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={getQueryClient()}>
      <DisplayProvider>
        <ToastProvider>{children}</ToastProvider>
      </DisplayProvider>
    </QueryClientProvider>
  );
}
