import type { RefObject } from 'react';
import type { KeyCommand } from './keys.model';

/**
 * What the page's keys for rows do while another list than that of the entries is shown: whether it did something, or
 * null where it leaves the command to the page.
 */
export type GroupKeys = RefObject<((command: KeyCommand) => boolean | null) | null>;
