import { expect, test } from 'vitest';
import { routeName } from '@/lib/http/route-name';

test.each([
  ['/api/depth?q=secret', {}, '/api/depth'],
  ['/api/tiles/3/3/3', { z: '3', x: '3', y: '3' }, '/api/tiles/{z}/{x}/{y}'],
  ['/api/tasks/tasks', { task_name: 'tasks' }, '/api/tasks/{task_name}'],
  ['/api/tasks/a%20b%2Fc', { task_name: 'a b/c' }, '/api/tasks/{task_name}'],
  ['/api/parcels/7', { path: ['parcels', '7'] }, '/api/{path}/{path}'],
  ['/api/dead-letters/12/outcome', { id: '12' }, '/api/dead-letters/{id}/outcome'],
])('%s is logged without its values', (path, params, name) => {
  expect(routeName(new Request(`http://localhost${path}`), params)).toBe(name);
});
