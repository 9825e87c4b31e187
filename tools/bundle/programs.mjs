/** What `npm start` and the operator's commands run: files of the project's `dist`. */
export const PROGRAMS = {
  'apps/api': ['main'],
  'apps/operator-cli': ['main', 'events', 'webhooks', 'import', 'migrate'],
};

/** Packages that look for files beside their own, or for packages of their own. */
export const LEFT_OUT = ['@petstore/embedded-postgres', 'pino', 'swagger-ui-dist'];

/** Packages that others ask for when they need them, and that are not installed: nothing here needs them. */
export const OPTIONAL = ['@fastify/static', '@nestjs/microservices', '@nestjs/websockets', 'pg-native'];
