import Fastify from 'fastify';
import { servePets } from './fastify-app.mjs';

/** Fastify with what the API needs, and nothing else. */
await servePets(Fastify(), 'fastify');
