'use client';
import { useRouter } from 'next/navigation';
import { requestDrawing } from '@/components/map/draw-request';
import { useToast, useUndo } from '@/components/ui/toast';
import type { ListItem } from '@/lib/contract/triage';
import type { OnAct } from './bulk-bar';
import type { GroupKeys } from './group-keys';
import type { KeyCommand } from './keys.model';
import { COPY_ID } from './list-copy';
import { JUMP_ID } from './list-jump';
import { QUERY_INPUT_ID } from './query/query-input';
import { NO_TICKS, type Scope, scopeText, type Ticks } from './scope.model';
import { useKeys } from './use-keys';

type Input = {
  groupKeys: GroupKeys;
  items: readonly ListItem[];
  letters: boolean;
  openId: string | null;
  cursorId: string | null;
  ticks: Ticks;
  setTicks: (ticks: Ticks) => void;
  onTick: (item: ListItem, on: boolean, range: boolean) => void;
  onCursor: (id: string) => void;
  onOpen: (id: string | null, how: 'push' | 'replace') => void;
  /** Null while actions are off. */
  onAct: OnAct | null;
  onRegroup: () => void;
  onShowKeys: () => void;
};

/** What the keys do; the same functions serve the buttons that step through entries. */
export function useCommands(input: Input) {
  const { items, openId, cursorId, ticks } = input;
  const router = useRouter();
  const toast = useToast();
  const undo = useUndo();
  const at = items.findIndex(({ id }) => id === (openId ?? cursorId));
  const go = (index: number) => {
    const item = items[index];
    if (!item) return;
    input.onCursor(item.id);
    if (openId !== null) input.onOpen(item.id, 'replace');
  };
  const previous = at > 0 ? () => go(at - 1) : null;
  const next = at < items.length - 1 ? () => go(at + 1) : null;

  /** A key alone never acts on everything: only on what was ticked, or on the open entry. */
  const scope: Scope | null =
    ticks.kind === 'ids' && ticks.ids.size > 0
      ? { kind: 'ids', ids: [...ticks.ids] }
      : openId !== null
        ? { kind: 'entry', id: openId }
        : null;
  const act = (action: 'redrive' | 'abandon' | 'quarantine') => {
    if (!input.onAct || !scope) {
      toast({ tone: 'warn', text: input.onAct ? 'Tick rows or open an entry first' : 'Actions are off' });
      return;
    }
    input.onAct(action, scope);
  };
  const tick = (range: boolean) => {
    const item = items[at];
    if (item) input.onTick(item, !(ticks.kind === 'all' || ticks.ids.has(item.id)), range);
    return item !== undefined;
  };
  const back = () => {
    const field = document.activeElement;
    if (field instanceof HTMLTextAreaElement) field.blur();
    else if (field instanceof HTMLInputElement && field.type !== 'checkbox') field.blur();
    else if (openId !== null) input.onOpen(null, 'push');
    else if (ticks.kind === 'all' || ticks.ids.size > 0) input.setTicks(NO_TICKS);
    else return false;
    return true;
  };
  const copyLink = () => {
    navigator.clipboard.writeText(window.location.href).then(
      () => toast({ text: 'Link copied' }),
      () => toast({ tone: 'warn', text: 'The browser did not allow copying' }),
    );
  };
  const run: Record<KeyCommand, () => unknown> = {
    next: () => next?.(),
    previous: () => previous?.(),
    open: () => items[at] && input.onOpen(items[at].id, 'push'),
    tick: () => tick(false),
    tick_range: () => tick(true),
    tick_all: () => input.setTicks({ kind: 'all' }),
    back,
    redrive: () => act('redrive'),
    abandon: () => act('abandon'),
    quarantine: () => act('quarantine'),
    draw_area: requestDrawing,
    add_condition: () => document.getElementById(QUERY_INPUT_ID)?.focus(),
    copy_link: copyLink,
    copy_rows: () => press(COPY_ID),
    jump: () => press(JUMP_ID),
    regroup: input.onRegroup,
    undo,
    go_triage: () => router.push('/'),
    go_operations: () => router.push('/operations'),
    go_intake: () => router.push('/intake'),
    show_keys: input.onShowKeys,
  };
  useKeys(input.letters, (command) => (input.groupKeys.current?.(command) ?? run[command]()) !== false);

  const onGridKey = (event: React.KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const command = GRID_KEYS[event.key];
    if (!command) return;
    event.preventDefault();
    run[command]();
  };
  return {
    previous,
    next,
    onGridKey,
    run: (command: KeyCommand) => void run[command](),
    /** What the keys act on, in words; null where there is nothing, or actions are off. */
    scope: scope && input.onAct && scopeText(scope),
  };
}

/** Does what a button does, where it is on the page. */
function press(id: string): boolean {
  const button = document.getElementById(id);
  button?.click();
  return button !== null;
}

const GRID_KEYS: Record<string, KeyCommand> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  Enter: 'open',
  ' ': 'tick',
};
