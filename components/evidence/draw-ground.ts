import type { PanePalette } from './pane-palette';
import type { Size, View } from './view.model';

/** What every part of a drawing stands on. */
export type Ground = {
  view: View;
  size: Size;
  /** Device pixels of a CSS pixel. */
  ratio: number;
  palette: PanePalette;
};
