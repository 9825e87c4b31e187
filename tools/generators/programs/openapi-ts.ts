import { createPet } from './petstore';
import { client } from './petstore/client.gen';

async function main(): Promise<void> {
  client.setConfig({ baseUrl: process.env.PETSTORE_URL, auth: process.env.PETSTORE_KEY });
  const { data: pet } = await createPet({ body: { name: 'Generated', categoryId: 7 }, throwOnError: true });
  console.log(pet.name, pet.categoryId, pet.status);
}
void main();
