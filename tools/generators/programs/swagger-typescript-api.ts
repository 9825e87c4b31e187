import { Api } from './Api';

async function main(): Promise<void> {
  const api = new Api({
    baseUrl: process.env.PETSTORE_URL,
    baseApiParams: { secure: true, format: 'json' },
    securityWorker: () => ({ headers: { Authorization: `Bearer ${process.env.PETSTORE_KEY}` } }),
  });
  const { data: pet } = await api.pets.createPet({ name: 'Generated', categoryId: 7 });
  console.log(pet.name, pet.categoryId, pet.status);
}
void main();
