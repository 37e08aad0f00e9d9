'use client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { Popover } from '@/components/ui/popover';
import { placesQuery } from '@/lib/api/places';
import { placeName } from './place-name';

/** Between two keys of somebody who types nothing is asked. */
const PAUSE_MS = 120;

/** Finds a country or a first-level region by its name; choosing one adds it to the filter. */
export function PlacePicker({ onPlace }: { onPlace: (code: string) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label="A place"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button type="button" className="btn btn-s">
          Place
        </button>
      }
    >
      <PlaceSearch
        onPlace={(code) => {
          setOpen(false);
          onPlace(code);
        }}
      />
    </Popover>
  );
}

function PlaceSearch({ onPlace }: { onPlace: (code: string) => void }) {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  const [active, setActive] = useState(0);
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, isError, isPlaceholderData } = useQuery({ ...placesQuery(asked), enabled: asked !== '' });
  const items = asked === '' || text.trim() === '' ? [] : (data?.items ?? []);
  const current = items[Math.min(active, items.length - 1)];
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((at) => Math.max(0, Math.min(items.length - 1, at + step)));
    } else if (event.key === 'Enter' && current && !isPlaceholderData && asked === text.trim()) onPlace(current.code);
  };
  return (
    <div className="place-search">
      <input
        ref={input}
        className="input"
        role="combobox"
        aria-label="Country or region"
        aria-expanded={items.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={current ? `${listId}-${current.code}` : undefined}
        placeholder="Country or region"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={listId} aria-label="Places" tabIndex={-1}>
        {items.map((place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field's own keys move through and choose the options
          <div
            key={place.code}
            id={`${listId}-${place.code}`}
            className="menu-item"
            role="option"
            aria-selected={place === current}
            tabIndex={-1}
            onClick={() => onPlace(place.code)}
          >
            <span className="trunc">{placeName(place)}</span>
            <span className="num mono">{place.code}</span>
          </div>
        ))}
      </div>
      {isError && <p className="bad-t">The places could not be read.</p>}
      {!isError && data && !isPlaceholderData && items.length === 0 && asked !== '' && (
        <p className="dim">No country or first-level region begins so.</p>
      )}
    </div>
  );
}
