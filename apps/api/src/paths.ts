/** Path that every operation stands under; in the document it is part of the servers (docs/contract.md, "Versions"). */
export const API_BASE_PATH = '/v1';

/** Path of the Model Context Protocol, which is no part of the OpenAPI document. */
export const MCP_PATH = '/mcp';

export const LIVENESS_PATH = '/livez';
export const READINESS_PATH = '/readyz';

const DOCS =
  /^\/(?:(?:docs|embed\/v1)(?:\/|$)|(?:openapi\.json|openapi\.yaml|openapi-webhooks\.json|llms\.txt)?$)/;

/** Which part of the service a request is for. Only `api` and `mcp` take keys. */
export type Door = 'api' | 'mcp' | 'health' | 'docs' | 'none';

/** The door that a request target leads to, before it is routed; `none` for one at which there is nothing. */
export function doorOf(target: string): Door {
  if (target.startsWith(`${API_BASE_PATH}/`)) return 'api';
  const [path = ''] = target.split('?', 1);
  switch (path) {
    case API_BASE_PATH:
      return 'api';
    case MCP_PATH:
      return 'mcp';
    case LIVENESS_PATH:
    case READINESS_PATH:
      return 'health';
    default:
      return DOCS.test(path) ? 'docs' : 'none';
  }
}

/** Whether a request is of the API: for an operation of the contract, or by the Model Context Protocol. */
export function isOfApi(target: string): boolean {
  const door = doorOf(target);
  return door === 'api' || door === 'mcp';
}
