import type { operations } from './types';

type NewPet = operations['createPet']['requestBody']['content']['application/json'];
type Pet = operations['createPet']['responses'][201]['content']['application/json'];

async function main(): Promise<void> {
  const body: NewPet = { name: 'Generated', categoryId: 7 };
  const headers = {
    Authorization: `Bearer ${process.env.PETSTORE_KEY}`,
    'Content-Type': 'application/json',
  };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${process.env.PETSTORE_URL}/pets`, init);
  const pet = (await response.json()) as Pet;
  console.log(pet.name, pet.categoryId, pet.status);
}
void main();
