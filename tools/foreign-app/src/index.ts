export { type ForeignApp, type ForeignAppOptions, installForeignApp } from './foreign-app.js';
export type { RunningApp } from './running-app.js';
export { snippetsIn } from './snippets.js';
