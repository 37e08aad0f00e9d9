import { openApiDocument } from '@/lib/http/openapi';
import { route } from '@/lib/http/route';
import { version } from '@/package.json';

export const GET = route({ role: 'viewer' }, async () => openApiDocument({ version }));
