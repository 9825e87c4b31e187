import { Configuration, PetsApi } from './petstore';

async function main(): Promise<void> {
  const basePath = process.env.PETSTORE_URL;
  const accessToken = process.env.PETSTORE_KEY;
  const pets = new PetsApi(new Configuration({ basePath, accessToken }));
  const pet = await pets.createPet({ newPet: { name: 'Generated', categoryId: 7 } });
  console.log(pet.name, pet.categoryId, pet.status);
}
void main();
