import type { Client, Reply } from './client.js';

/** The response to what is no HTTP. */
export async function garbage(client: Client): Promise<Reply> {
  const reply = await client.raw('GARBAGE\r\n\r\n');
  const [head = '', text = ''] = reply.split('\r\n\r\n');
  const fields = head
    .split('\r\n')
    .slice(1)
    .map((field) => field.split(': '));
  const headers = Object.fromEntries(
    fields.map(([name = '', value]) => [name.toLowerCase(), value]),
  ) as Reply['headers'];
  return { status: Number(head.split(' ')[1]), headers, text };
}
