import { createPet } from './petstore';

async function main(): Promise<void> {
  // As `baseUrl` in the configuration: as generated, the requests have no host.
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => fetch(`${process.env.PETSTORE_URL}${input}`, init);
  const headers = { Authorization: `Bearer ${process.env.PETSTORE_KEY}` };
  const { status, data: pet } = await createPet({ name: 'Generated', categoryId: 7 }, { headers });
  if (status !== 201) throw new Error(`Status ${status}.`);
  console.log(pet.name, pet.categoryId, pet.status);
}
void main();
