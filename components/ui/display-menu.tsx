'use client';
import { DENSITIES, THEMES, useDisplay } from './display';
import { Icon } from './icon';
import { Popover } from './popover';
import { Segmented } from './segmented';

/** Theme and density: kept in this browser, not in the link. */
export function DisplayMenu() {
  const { theme, density, change } = useDisplay();
  return (
    <Popover
      label="Display"
      align="end"
      trigger={
        <button
          type="button"
          className="btn btn-icon btn-quiet"
          aria-label="Display: theme and density"
          title="Display"
        >
          <Icon name="contrast" />
        </button>
      }
    >
      <div className="menu-field">
        <span className="cap">Theme</span>
        <Segmented
          label="Theme"
          value={theme}
          options={THEMES.map((value) => ({ value, label: value }))}
          onChange={(value) => change({ theme: value })}
        />
      </div>
      <div className="menu-field">
        <span className="cap">Rows</span>
        <Segmented
          label="Rows"
          value={density}
          options={DENSITIES.map((value) => ({ value, label: value }))}
          onChange={(value) => change({ density: value })}
        />
      </div>
    </Popover>
  );
}
