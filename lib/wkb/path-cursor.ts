/** Follows the rows of the parts table and knows the zero-based path of the current one. */
export class PathCursor {
  private readonly ordinals: number[] = [-1];
  private depth = 0;

  /** Rows come parents first, so entering a depth counts a sibling there and starts anew below. */
  enter(depth: number): void {
    this.depth = depth;
    this.ordinals[depth] = (this.ordinals[depth] ?? -1) + 1;
    this.ordinals[depth + 1] = -1;
  }

  here(): number[] {
    return this.ordinals.slice(1, this.depth + 1);
  }

  vertex(n: number): number[] {
    return [...this.here(), n];
  }
}
