export {
  type ForeignApp,
  type ForeignAppOptions,
  installForeignApp,
  type RunningApp,
} from './foreign-app.js';
export { snippetsIn } from './snippets.js';
