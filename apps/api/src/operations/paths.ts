/** Path that every operation stands under; in the document it is part of the servers (docs/contract.md, "Versions"). */
export const API_BASE_PATH = '/v1';

/** Path of the Model Context Protocol, which is no part of the OpenAPI document. */
export const MCP_PATH = '/mcp';

/** Whether a request target leads to the API: to operations of the contract, or to the Model Context Protocol. */
export function isOfApi(target: string): boolean {
  return target.startsWith(API_BASE_PATH) || target === MCP_PATH || target.startsWith(`${MCP_PATH}?`);
}

export const LIVENESS_PATH = '/livez';
export const READINESS_PATH = '/readyz';

/** The paths of the health checks, which are neither metered nor logged one by one. */
export const HEALTH_PATHS: ReadonlySet<string> = new Set([LIVENESS_PATH, READINESS_PATH]);
