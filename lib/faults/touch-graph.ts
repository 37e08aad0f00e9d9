import type { EdgeTable, Run } from './edge-table';
import type { FaultList } from './fault-list';
import type { PartNames } from './part-names';

interface TouchPlace {
  x: number;
  y: number;
  /** First edge there, and its run. */
  edge: number;
  run: Run;
  runs: Set<Run>;
}

/** Where rings of one polygon touch. The interior stays in one piece unless these places and the rings form a cycle. */
export class TouchGraph {
  private readonly places = new Map<string, TouchPlace>();

  add(s_run: Run, t_run: Run, s: number, [x, y]: readonly [number, number]): void {
    const key = `${s_run.polygon} ${x} ${y}`;
    let place = this.places.get(key);
    if (!place) {
      place = { x, y, edge: s, run: s_run, runs: new Set() };
      this.places.set(key, place);
    }
    if (s < place.edge) {
      place.edge = s;
      place.run = s_run;
    }
    place.runs.add(s_run).add(t_run);
  }

  /** One fault for each place on a cycle, of which GEOS names one; as there, also where the rings cross elsewhere. */
  findCycles(table: EdgeTable, names: PartNames, found: FaultList, severity: 'fails' | 'note'): void {
    const places = [...this.places.values()];
    const runs = new Map<Run, number>();
    const neighbours: number[][] = places.map(() => []);
    for (const [node, place] of places.entries()) {
      for (const run of place.runs) {
        if (!run.is_closed || run.is_copy) continue;
        let other = runs.get(run);
        if (other === undefined) {
          other = neighbours.push([]) - 1;
          runs.set(run, other);
        }
        (neighbours[node] as number[]).push(other);
        (neighbours[other] as number[]).push(node);
      }
    }
    const on_cycle = nodesOnCycles(neighbours);
    for (const [node, place] of places.entries()) {
      if (!on_cycle[node]) continue;
      found.add('interior_disconnected', () => ({
        path: [...names.pathOf(place.run.row), table.vertices[place.edge] as number],
        at: [place.x, place.y],
        message: `${listOf([...place.runs].map((run) => names.ring(run.row)))} touch here and elsewhere: the interior falls apart`,
        severity,
      }));
    }
  }
}

function listOf(words: string[]): string {
  return words.length > 3 ? `${words.length} rings` : `${words.slice(0, -1).join(', ')} and ${words.at(-1) as string}`;
}

/** Nodes with an edge that is no bridge (Tarjan's low links, without recursion). No two edges join the same nodes. */
function nodesOnCycles(neighbours: readonly (readonly number[])[]): Uint8Array {
  const order = new Int32Array(neighbours.length).fill(-1);
  const low = new Int32Array(neighbours.length);
  const next = new Int32Array(neighbours.length);
  const on_cycle = new Uint8Array(neighbours.length);
  let time = 0;
  for (let root = 0; root < neighbours.length; root++) {
    if (order[root] !== -1) continue;
    const way = [root];
    order[root] = low[root] = time++;
    while (way.length > 0) {
      const node = way.at(-1) as number;
      const parent = way.at(-2) ?? -1;
      const other = (neighbours[node] as number[])[next[node]!++];
      if (other === undefined) {
        way.pop();
        if (parent >= 0) {
          low[parent] = Math.min(low[parent] as number, low[node] as number);
          if ((low[node] as number) <= (order[parent] as number)) on_cycle[node] = on_cycle[parent] = 1;
        }
      } else if (order[other] === -1) {
        order[other] = low[other] = time++;
        way.push(other);
      } else if (other !== parent) low[node] = Math.min(low[node] as number, order[other] as number);
    }
  }
  return on_cycle;
}
