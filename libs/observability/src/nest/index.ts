export { ManagementModule } from './management.module.js';
export { ObservabilityModule } from './observability.module.js';
