import 'react';

declare module 'react' {
  interface CSSProperties {
    /** Custom properties, such as a bar's length. */
    [property: `--${string}`]: string | number | undefined;
  }
}
