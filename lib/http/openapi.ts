import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { ERROR_CODES, errorSchema } from '@/lib/contract/error';
import { API_OPERATIONS } from './api-operations';
import type { ApiOperation, Content } from './api-operations/api-operation';
import { STATUS } from './errors';

const error = errorSchema.meta({ id: 'Error' });

/** The OpenAPI 3.1 document of the API, made from the contract. */
export function openApiDocument({ version }: { version: string }) {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', 'producer', {
    type: 'http',
    scheme: 'bearer',
    description: 'A producer’s token, dlo_p_<id>_<secret>: `dlo token create <name>` makes one.',
  });
  for (const operation of API_OPERATIONS) registry.registerPath(pathOf(operation));
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Dead Letter Office',
      version,
      description: 'Capture, triage and redrive of failed geospatial tasks. Fields are snake_case; ids are strings.',
    },
    servers: [{ url: '/' }],
  });
}

function pathOf(operation: ApiOperation): RouteConfig {
  const { method, path, summary, role, intake, params, query, headers, body, answer, also = {} } = operation;
  const responses: RouteConfig['responses'] = { 200: { description: 'Done', content: contentOf(answer) } };
  for (const [status, other] of Object.entries(also))
    responses[status] = {
      description: other.description,
      ...(other.content ? { content: contentOf(other.content) } : {}),
    };
  return {
    method,
    path,
    summary,
    description: [`Role: ${role}${intake ? ', or a producer’s token' : ''}.`, operation.description]
      .filter(Boolean)
      .join(' '),
    ...(intake ? { security: [{}, { producer: [] }] } : {}),
    request: {
      ...(params ? { params: z.object(params) } : {}),
      ...(query ? { query } : {}),
      ...(headers ? { headers } : {}),
      ...(body ? { body: { required: true, content: contentOf(body) } } : {}),
    },
    responses: {
      ...responses,
      default: {
        description: `An error. Codes and their statuses: ${ERROR_CODES.map((code) => `${code} ${STATUS[code]}`).join(', ')}.`,
        content: { 'application/json': { schema: error } },
      },
    },
  };
}

function contentOf(content: Content) {
  return Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }]));
}
