import { createServer } from 'node:http';

/** A process with receivers of webhooks: it tells their ports, and what they have got when it is asked. */
const count = Number(process.argv[2]);
let received = [];

const ports = await Promise.all(
  Array.from({ length: count }, async (_, endpoint) => {
    const server = createServer((request, response) => {
      const chunks = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const at = Date.now();
        response.writeHead(204).end();
        const { id, timestamp } = JSON.parse(Buffer.concat(chunks).toString());
        received.push({ endpoint, id, ms: at - Date.parse(timestamp), at });
      });
    });
    server.keepAliveTimeout = 30_000;
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server.address().port;
  }),
);
process.on('message', (message) => {
  if (message === 'count') process.send({ count: received.length });
  else if (message === 'take') {
    process.send({ received });
    received = [];
  }
});
process.on('disconnect', () => process.exit());
process.send({ ports });
