'use client';
import { Dialog as Radix } from 'radix-ui';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { type Command, findCommands, RECENT_COMMANDS_KEY, readLately, withLately } from './command.model';
import './palette.css';
import { usePaletteCommands } from './use-palette-commands';

const LIST_ID = 'palette-commands';

/** All commands, found by typing. What is chosen runs once the palette is closed and the focus is back where it was. */
export default function Palette({
  open,
  typed,
  onClose,
}: {
  open: boolean;
  /** What was typed before the field was there. */
  typed: () => string;
  onClose: () => void;
}) {
  const opener = useRef<Element | null>(null);
  const chosen = useRef<Command | null>(null);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          className="dialog palette"
          aria-describedby={undefined}
          onOpenAutoFocus={({ currentTarget }) => {
            if (!(currentTarget instanceof Node && currentTarget.contains(document.activeElement)))
              opener.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current instanceof HTMLElement) opener.current.focus();
            const command = chosen.current;
            chosen.current = null;
            command?.run();
          }}
        >
          <Radix.Title className="sr">Commands</Radix.Title>
          <Commands
            typed={typed}
            onChoose={(command) => {
              chosen.current = command;
              onClose();
            }}
          />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Commands({ typed, onChoose }: { typed: () => string; onChoose: (command: Command) => void }) {
  const [lately] = useState(() => readLately(stored()));
  const [text, setText] = useState('');
  // as late as the field can have the focus, so that no key falls between
  useLayoutEffect(() => setText(typed()), [typed]);
  const [active, setActive] = useState(0);
  const commands = usePaletteCommands(true);
  const found = useMemo(() => findCommands(commands, text, lately), [commands, text, lately]);
  const at = Math.min(active, found.length - 1);
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place or list scrolls
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at, found]);
  const choose = (command: Command | undefined) => {
    if (!command) return;
    store(withLately(lately, command.id));
    onChoose(command);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const last = found.length - 1;
    const next = {
      ArrowDown: at >= last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : at - 1,
      PageDown: Math.min(last, at + 8),
      PageUp: Math.max(0, at - 8),
    }[event.key];
    if (next !== undefined) setActive(next);
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) choose(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="palette-field">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label="Search or run a command"
          aria-expanded
          aria-controls={LIST_ID}
          aria-autocomplete="list"
          aria-activedescendant={found[at] ? `${LIST_ID}-${at}` : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder="Search or run a command"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>Esc</kbd>
      </div>
      <p className="sr" role="status">
        {found.length === 0 ? 'No command has these words' : `${found.length} commands`}
      </p>
      <div className="palette-list" role="listbox" id={LIST_ID} aria-label="Commands" ref={list} tabIndex={-1}>
        {found.length === 0 && <p className="cap">No command has these words.</p>}
        {found.map((command, i) => (
          <div key={`${command.group} ${command.id}`} role="presentation">
            {command.group !== found[i - 1]?.group && text.trim() === '' && (
              <p className="cap palette-group" role="presentation">
                {command.group}
              </p>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field's own keys move through and choose the options */}
            <div
              id={`${LIST_ID}-${i}`}
              role="option"
              tabIndex={-1}
              aria-selected={i === at}
              className="menu-item"
              onClick={() => choose(command)}
              onPointerMove={() => setActive(i)}
            >
              <bdi className="trunc">{command.title}</bdi>
              {command.detail && <bdi className="faint trunc">{command.detail}</bdi>}
              <span className="palette-end">
                {command.count !== undefined && <span className="num faint">{command.count}</span>}
                {command.keys?.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </span>
            </div>
          </div>
        ))}
      </div>
    </>
  );
}

function stored(): string | null {
  try {
    return localStorage.getItem(RECENT_COMMANDS_KEY);
  } catch {
    return null;
  }
}

function store(lately: string[]): void {
  try {
    localStorage.setItem(RECENT_COMMANDS_KEY, JSON.stringify(lately));
  } catch {
    // a browser without storage remembers none
  }
}
